package org.trueasync.io;

class TlsPeersTest extends TlsPeersConformance {}
