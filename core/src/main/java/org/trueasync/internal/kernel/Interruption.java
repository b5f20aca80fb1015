package org.trueasync.internal.kernel;

import java.io.Serial;
import org.trueasync.AsyncCancellation;

/** What a wait throws because somebody has called {@code Thread.interrupt} on the coroutine's thread: the wait ends, and nothing else is asked for. */
final class Interruption extends AsyncCancellation {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Made where the interrupt comes from.
     *
     * @param interrupted whose thread
     */
    Interruption(CoroutineImpl<?> interrupted) {
        super("interrupted: " + Runtimes.threadName() + " called Thread.interrupt() on the thread of coroutine #"
                + interrupted.id());
    }
}
