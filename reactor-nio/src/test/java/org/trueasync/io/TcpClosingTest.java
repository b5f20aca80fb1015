package org.trueasync.io;

class TcpClosingTest extends TcpClosingConformance {}
