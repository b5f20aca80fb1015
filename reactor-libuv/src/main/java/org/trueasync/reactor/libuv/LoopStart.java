package org.trueasync.reactor.libuv;

/** Makes libuv's loops, also where the process has few descriptors left. */
final class LoopStart {
    /** Two would do; other threads may open something meanwhile. */
    private static final int NEEDED = 8;
    /** Some descriptor below this is open in every JVM. */
    private static final int SOURCES = 64;

    private static volatile boolean made;

    private LoopStart() {}

    /**
     * As {@code uv_loop_init}.
     *
     * @return negative if it failed; nothing is left open then
     */
    static int init(long loop) {
        /*
         * With the first loop of a process libuv makes a pipe for the signals of all, and aborts the process if it gets none. Two threads may both be
         * the first: each has seen that there are enough.
         */
        if (!made && !areThereDescriptors()) return -Platform.EMFILE;
        int status = Uv.loopInit(loop);
        if (status >= 0) made = true;
        else closeWhatIsLeft(loop, status);
        return status;
    }

    private static boolean areThereDescriptors() {
        int[] taken = new int[NEEDED];
        int count = 0;
        for (int source = 0; source < SOURCES && count < NEEDED; ) {
            int copy = Libc.duplicate(source);
            if (copy >= 0) taken[count++] = copy;
            else source++;
        }
        for (int i = 0; i < count; i++) Libc.close(taken[i]);
        return count == NEEDED;
    }

    /**
     * libuv 1.44 leaves its epoll descriptor open when it finds none for what comes after; 1.50 closes it and sets it to -1. Short of
     * descriptors the field has been set in any case, which can't be said of other errors.
     */
    private static void closeWhatIsLeft(long loop, int status) {
        if (status != -Platform.EMFILE && status != -Platform.ENFILE) return;
        int left = Uv.backendDescriptor(loop);
        if (left >= 0) Libc.close(left);
    }
}
