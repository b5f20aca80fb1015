package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;

/** Provides a directory for compiled classes, created on first use. */
@FunctionalInterface
interface Workspace {
    /** Returns the directory, empty at first; it exists until the process ends. */
    Path directory() throws IOException;
}
