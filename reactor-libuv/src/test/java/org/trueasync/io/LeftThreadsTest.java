package org.trueasync.io;

class LeftThreadsTest extends LeftThreadsConformance {}
