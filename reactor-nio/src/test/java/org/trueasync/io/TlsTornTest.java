package org.trueasync.io;

class TlsTornTest extends TlsTornConformance {}
