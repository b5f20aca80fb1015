package org.trueasync.cancellation;

class MetAndCancelledTest extends MetAndCancelledConformance {}
