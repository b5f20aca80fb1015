package org.trueasync.io;

class CoresTest extends CoresConformance {}
