package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor of a file. It is closed once, and not before the last call on it has returned, because another file
 * may get its number at once. A file that the program has lost is closed too.
 */
final class Descriptor {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int NONE = -1;

    /** In an object of its own, which must not refer to the file that it outlives. */
    private static final class State implements Runnable {
        final int file;
        /**
         * Descriptor that ends waiting calls: readable when the file is to be closed or a call is abandoned; NONE if no
         * call can wait.
         */
        final int event;

        private int calls;
        private boolean closing;
        private boolean closed;

        State(int file, int event) {
            this.file = file;
            this.event = event;
        }

        synchronized boolean enter() {
            if (closing) return false;
            calls++;
            return true;
        }

        synchronized void leave() {
            calls--;
            if (closing && calls == 0) closeNow();
        }

        synchronized boolean isClosing() {
            return closing;
        }

        /** Returns the error, or 0; also 0 if it is closed later. */
        synchronized int close() {
            if (closing) return 0;
            closing = true;
            if (calls == 0) return closeNow();
            signal();
            return 0;
        }

        synchronized void signal() {
            if (event == NONE || closed) return;
            try (Arena arena = Arena.ofConfined()) {
                FileCalls.signal(arena, FileCalls.errno(arena), event);
            }
        }

        synchronized void quieten() {
            if (event == NONE || closed || closing) return;
            try (Arena arena = Arena.ofConfined()) {
                FileCalls.quieten(arena, FileCalls.errno(arena), event);
            }
        }

        private int closeNow() {
            if (closed) return 0;
            closed = true;
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment errno = FileCalls.errno(arena);
                if (event != NONE) FileCalls.close(errno, event);
                return FileCalls.close(errno, file);
            }
        }

        /** Called by the cleaner: no call is possible any more. */
        @Override
        public void run() {
            close();
        }
    }

    private final State state;
    private final Cleaner.Cleanable cleanable;

    /**
     * Takes a descriptor over.
     *
     * @param owner the file; if it becomes unreachable, the descriptor is closed
     * @param file the descriptor
     * @param event descriptor that is made readable to end waiting calls; null if no call can wait
     */
    Descriptor(Object owner, int file, @Nullable Integer event) {
        state = new State(file, event == null ? NONE : event);
        cleanable = CLEANER.register(owner, state);
    }

    /** The number; valid between {@link #enter} and {@link #leave}. */
    int number() {
        return state.file;
    }

    /** The descriptor that ends waiting calls, see the constructor. */
    int event() {
        return state.event;
    }

    /** Makes the event ready, for calls that wait. */
    void signal() {
        state.signal();
    }

    /** Resets the event, unless the file is to be closed. */
    void quieten() {
        state.quieten();
    }

    /** True once it is closed or to be closed. */
    boolean isClosing() {
        return state.isClosing();
    }

    /** Begins a call; false if the descriptor is closed or to be closed. */
    boolean enter() {
        return state.enter();
    }

    /** Ends a call. */
    void leave() {
        state.leave();
    }

    /**
     * Closes, now or when the calls under way have ended; those that wait end at once. Returns a negative errno, or 0.
     */
    int close() {
        int result = state.close();
        cleanable.clean();
        return result;
    }
}
