package org.trueasync.io;

class ThreadsTest extends ThreadsConformance {}
