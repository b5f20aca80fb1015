/**
 * The {@code trueasync} command: the command line, the compilation of source programs, the search for {@code main}, and
 * the end of the process. Everything about coroutines is in {@code org.trueasync}. No third-party library is used,
 * because everything on this class path is visible to the program. Nothing is null unless it says so.
 */
@NullMarked
package org.trueasync.launcher;

import org.jspecify.annotations.NullMarked;
