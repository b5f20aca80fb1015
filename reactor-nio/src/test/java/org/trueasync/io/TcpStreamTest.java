package org.trueasync.io;

class TcpStreamTest extends TcpStreamConformance {}
