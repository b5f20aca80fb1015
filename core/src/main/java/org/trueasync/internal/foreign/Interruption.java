package org.trueasync.internal.foreign;

import java.io.Serial;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/** What a wait throws because somebody has called {@code Thread.interrupt} on the coroutine's thread: the wait ends, and nothing else is asked for. */
public final class Interruption extends AsyncCancellation {
    @Serial
    private static final long serialVersionUID = 1L;

    private Interruption(String message) {
        super(message);
    }

    /**
     * Made where the interrupt comes from.
     *
     * @param interrupted whose thread
     * @param by the name of the thread that did it
     */
    public static Interruption byOther(Coroutine<?> interrupted, String by) {
        return new Interruption(
                "interrupted: " + by + " called Thread.interrupt() on the thread of coroutine #" + interrupted.id());
    }

    /** For a status that is found; who has set it is not known. */
    public static Interruption before(Coroutine<?> interrupted) {
        return new Interruption("interrupted: the thread of coroutine #" + interrupted.id()
                + " had its interrupt status set, by Thread.interrupt(), before the wait began");
    }

    /** By the type that users know. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return AsyncCancellation.class.getName() + ": " + getMessage();
    }
}
