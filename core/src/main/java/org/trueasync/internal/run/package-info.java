/** What a run is put together from: the reactor that suits it, the kernel, and who watches over it. For the public runtime and for the runtimes of threads. */
@NullMarked
package org.trueasync.internal.run;

import org.jspecify.annotations.NullMarked;
