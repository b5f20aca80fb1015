package org.trueasync.io;

class TcpWritingTest extends TcpWritingConformance {}
