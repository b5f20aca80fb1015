package org.trueasync.io;

class ExhaustionTest extends ExhaustionConformance {}
