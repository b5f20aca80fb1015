package org.trueasync.io;

class DrainTest extends DrainConformance {}
