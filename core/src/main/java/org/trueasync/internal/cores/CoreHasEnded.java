package org.trueasync.internal.cores;

import org.trueasync.AsyncException;

/**
 * A call has come too late. A core ends only together with all others, so what has ended them is reported already. This
 * error is not reported if no code handles it.
 */
final class CoreHasEnded extends AsyncException {
    private static final long serialVersionUID = 1;

    CoreHasEnded(int index) {
        super("core " + index + " has ended; it takes no more calls, and this one has not begun");
    }
}
