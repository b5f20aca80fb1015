package org.trueasync.io;

class EveryMethodTest extends EveryMethodConformance {}
