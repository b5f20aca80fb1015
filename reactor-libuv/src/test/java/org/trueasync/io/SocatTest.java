package org.trueasync.io;

class SocatTest extends SocatConformance {}
