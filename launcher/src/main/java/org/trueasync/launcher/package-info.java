/**
 * The {@code trueasync} command. Here: the command line, the compiler of source programs, the search for {@code main}, and what the process
 * does at its end. Not here: anything about coroutines, which {@code org.trueasync} does, and no third-party library, because everything on
 * this class path is visible to the program that runs. Nothing is null unless it says so.
 */
@NullMarked
package org.trueasync.launcher;

import org.jspecify.annotations.NullMarked;
