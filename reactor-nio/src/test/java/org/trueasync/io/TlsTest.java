package org.trueasync.io;

class TlsTest extends TlsConformance {}
