package org.trueasync.io;

class FileSystemWatcherTest extends FileSystemWatcherConformance {}
