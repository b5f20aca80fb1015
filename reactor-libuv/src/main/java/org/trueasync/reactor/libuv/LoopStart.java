package org.trueasync.reactor.libuv;

/** Makes libuv's loops safely even if the process has few descriptors left. */
final class LoopStart {
    /** Two would be enough, but other threads may open files meanwhile. */
    private static final int NEEDED = 8;
    /** In every JVM some descriptor below this is open. */
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
         * With the first loop of a process libuv makes a pipe for the signals of all loops, and aborts the process if
         * that fails. Two threads may both make a first loop: there are enough descriptors for both.
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
     * Closes the epoll descriptor of a loop that could not be made. libuv 1.44 leaves it open if a later descriptor is
     * refused; 1.50 closes it and sets the field to -1. Where libuv has not set the field, it has the zero of the new
     * memory; descriptor 0 is not libuv's.
     */
    private static void closeWhatIsLeft(long loop, int status) {
        if (status != -Platform.EMFILE && status != -Platform.ENFILE) return;
        int left = Uv.backendDescriptor(loop);
        if (left > 0) Libc.close(left);
    }
}
