package org.trueasync.cancellation;

class TimeLimitTest extends TimeLimitConformance {}
