package org.trueasync.io;

class SignalDispositionTest extends SignalDispositionConformance {}
