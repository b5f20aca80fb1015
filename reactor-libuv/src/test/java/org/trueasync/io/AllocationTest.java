package org.trueasync.io;

/** With the command's flags for the calls of a connection, see the pom. */
class AllocationTest extends AllocationConformance {}
