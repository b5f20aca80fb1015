package org.trueasync.io;

class ChildLimitsTest extends ChildLimitsConformance {}
