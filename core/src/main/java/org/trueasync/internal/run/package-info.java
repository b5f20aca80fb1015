/**
 * What a run is put together from: the reactor that suits it, the kernel, and the watchers. For the public runtime and
 * for the runtimes of threads. Also what runs share in their process: signals, exit, the output that is captured for
 * one coroutine, and figures of the machine and of the process.
 */
@NullMarked
package org.trueasync.internal.run;

import org.jspecify.annotations.NullMarked;
