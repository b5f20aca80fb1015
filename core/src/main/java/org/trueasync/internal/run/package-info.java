/**
 * What a run is put together from: the reactor that suits it, the kernel, and the watchers. For the public runtime and
 * for the runtimes of threads.
 */
@NullMarked
package org.trueasync.internal.run;

import org.jspecify.annotations.NullMarked;
