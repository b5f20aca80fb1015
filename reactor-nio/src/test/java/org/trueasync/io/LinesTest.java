package org.trueasync.io;

class LinesTest extends LinesConformance {}
