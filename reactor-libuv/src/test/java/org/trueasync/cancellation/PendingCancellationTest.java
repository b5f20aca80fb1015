package org.trueasync.cancellation;

class PendingCancellationTest extends PendingCancellationConformance {}
