package org.trueasync.cancellation;

class InterruptedLibraryTest extends InterruptedLibraryConformance {}
