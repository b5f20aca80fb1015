package org.trueasync.spi;

import java.util.ArrayDeque;
import java.util.Deque;
import org.trueasync.Async;
import org.trueasync.Mutex;

/**
 * A condition variable, on the public door for extensions alone: a wait is an {@link Event} and {@link Waker#await}.
 * Signals are handed out first come, first served; a waiter that leaves with one hands it on.
 */
final class ConditionVariable {
    private final Mutex mutex;
    private final Deque<Signal> waiting = new ArrayDeque<>();

    ConditionVariable(Mutex mutex) {
        this.mutex = mutex;
    }

    /** One waiter's place in the queue. */
    private static final class Signal extends Event {
        private boolean given;

        void give() {
            given = true;
            close();
            notifyCallbacks(null, null);
        }

        @Override
        public boolean replay(EventCallback late) {
            if (given) deliver(late, null, null);
            return given;
        }

        @Override
        public String info() {
            return "condition";
        }
    }

    /** Releases the mutex, waits for a signal, and locks the mutex again, also if it throws. */
    void await() {
        var signal = new Signal();
        waiting.add(signal);
        boolean served = false;
        try {
            mutex.unlock();
            Waker waker = Waker.current();
            waker.resumeWhen(signal, ResumeCallback.RESOLVE);
            waker.await();
            served = true;
        } finally {
            if (!served && !waiting.remove(signal)) signal();
            Async.protect(() -> mutex.lock());
        }
    }

    /** Wakes the one that has waited longest. */
    void signal() {
        Signal first = waiting.poll();
        if (first != null) first.give();
    }

    /** Wakes all that wait now. */
    void signalAll() {
        for (int left = waiting.size(); left > 0; left--) signal();
    }

    int waiting() {
        return waiting.size();
    }
}
