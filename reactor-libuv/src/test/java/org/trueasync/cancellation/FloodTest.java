package org.trueasync.cancellation;

class FloodTest extends FloodConformance {}
