package org.trueasync.internal.foreign;

import java.io.Serial;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/**
 * What a wait throws because other code has called {@code Thread.interrupt} on the coroutine's thread. The wait ends,
 * but the coroutine is not cancelled.
 */
public final class Interruption extends AsyncCancellation {
    @Serial
    private static final long serialVersionUID = 1L;

    private Interruption(String message) {
        super(message);
    }

    /**
     * For an interrupt that is made now; called on the thread that makes it.
     *
     * @param interrupted the coroutine whose thread it is
     * @param by the name of the thread that did it
     */
    public static Interruption byOther(Coroutine<?> interrupted, String by) {
        return new Interruption(
                "interrupted: " + by + " called Thread.interrupt() on the thread of coroutine #" + interrupted.id());
    }

    /** For an interrupt status that is found set; it is not known which code has set it. */
    public static Interruption before(Coroutine<?> interrupted) {
        return new Interruption("interrupted: the thread of coroutine #" + interrupted.id()
                + " had its interrupt status set, by Thread.interrupt(), before the wait began");
    }

    /** Shows the type that users know. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return AsyncCancellation.class.getName() + ": " + getMessage();
    }
}
