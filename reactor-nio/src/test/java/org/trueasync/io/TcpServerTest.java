package org.trueasync.io;

class TcpServerTest extends TcpServerConformance {}
