package org.trueasync.io;

class ForeignThreadTest extends ForeignThreadConformance {}
