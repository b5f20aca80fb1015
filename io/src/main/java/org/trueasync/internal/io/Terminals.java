package org.trueasync.internal.io;

import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** Makes streams over the process's terminal. */
public final class Terminals {
    private static final String[] NAMES = {"input", "output", "error"};

    private Terminals() {}

    /**
     * Returns a stream over a standard stream of the process.
     *
     * @param descriptor 0, 1 or 2
     * @param call name of the method that was called, for the message
     * @throws org.trueasync.InputOutputException if it is no terminal
     */
    public static StreamCore open(int descriptor, String call) {
        Loop loop = Runtimes.here(call);
        var core = new StreamCore(loop);
        core.opened(loop.reactor().terminal(descriptor, core.listener()), "terminal on standard " + NAMES[descriptor]);
        return core;
    }

    /** See {@link org.trueasync.io.Tty#isTerminal}. */
    public static boolean isTerminal(int descriptor) {
        if (descriptor < 0 || descriptor > 2)
            throw new IllegalArgumentException("descriptor of a terminal must be 0, 1 or 2, got " + descriptor);
        return Runtimes.here("Tty.isTerminal").reactor().isTerminal(descriptor);
    }
}
