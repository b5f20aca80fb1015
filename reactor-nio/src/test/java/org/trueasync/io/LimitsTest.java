package org.trueasync.io;

class LimitsTest extends LimitsConformance {}
