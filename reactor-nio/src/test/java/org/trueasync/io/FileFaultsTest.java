package org.trueasync.io;

class FileFaultsTest extends FileFaultsConformance {}
