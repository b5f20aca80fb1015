package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;

/** Gives a place for compiled classes, made when it is first asked for. */
@FunctionalInterface
interface Workspace {
    /** An empty directory that lives as long as the program. */
    Path directory() throws IOException;
}
