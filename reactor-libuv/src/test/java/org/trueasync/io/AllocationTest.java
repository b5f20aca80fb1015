package org.trueasync.io;

class AllocationTest extends AllocationConformance {}
