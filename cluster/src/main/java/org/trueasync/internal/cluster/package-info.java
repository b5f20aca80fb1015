/** What stands between coroutines and the engine: its settings, tasks, and waits for its asynchronous calls. */
@NullMarked
package org.trueasync.internal.cluster;

import org.jspecify.annotations.NullMarked;
