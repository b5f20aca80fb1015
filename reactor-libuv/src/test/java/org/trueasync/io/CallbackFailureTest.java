package org.trueasync.io;

class CallbackFailureTest extends CallbackFailureConformance {}
