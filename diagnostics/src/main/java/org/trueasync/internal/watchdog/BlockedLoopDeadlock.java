package org.trueasync.internal.watchdog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.jdk.ThreadLocks;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * A loop that is held for ever: the code that holds it waits for a lock, maybe through a chain of other waiting
 * threads, and at the end of that chain is a coroutine of the same loop, which can't run.
 *
 * @param loop the runtime's name
 * @param chain each wants the lock that the next one has; the first one holds the loop, the last one can't run
 */
record BlockedLoopDeadlock(String loop, List<Link> chain) {
    private static final int MAX_CHAIN = 20;
    /** Examining one takes tens of microseconds. */
    private static final int MAX_COROUTINES = 10_000;

    private static final int MAX_FRAMES = 24;

    /**
     * One thread of the chain.
     *
     * @param thread that wants a lock, except for the last one, which can't run
     * @param coroutine of the loop that runs on the thread; null if none does, or it is not known
     * @param locks that the thread has and wants
     */
    record Link(Thread thread, @Nullable Coroutine<?> coroutine, ThreadLocks locks) {
        String name() {
            String known = coroutine == null ? null : LoopProbe.nameOf(coroutine);
            if (known != null) return known;
            return coroutine != null ? "a job of the runtime's own" : "thread '" + thread.getName() + "'";
        }
    }

    /**
     * Looks for such a deadlock. On the thread of {@link DeadlockWatch}.
     *
     * @param loop that has not moved for a while
     * @return null if there is none, or it can't be proved
     */
    static @Nullable BlockedLoopDeadlock find(LoopProbe loop) {
        loop.blockMounts();
        try {
            Coroutine<?> coroutine = loop.current();
            Thread stuck = loop.thread();
            ThreadLocks locks = ThreadLocks.of(stuck);
            if (locks == null || locks.wants() == null) return null;
            // Otherwise this thread is not what holds the loop, and another stack may be about to be mounted.
            if (stuck != loop.loopThread() && locks.carrier() != loop.loopThread()) return null;
            return new Search(loop).from(new Link(stuck, coroutine, locks));
        } finally {
            loop.allowMounts();
        }
    }

    private static final class Search {
        private final LoopProbe loop;
        private final List<Link> chain = new ArrayList<>();
        private final Set<Thread> met = new HashSet<>();
        private final List<Coroutine<?>> coroutines;

        Search(LoopProbe loop) {
            this.loop = loop;
            this.coroutines = loop.withStacks(MAX_COROUTINES);
        }

        @Nullable
        BlockedLoopDeadlock from(Link first) {
            Link link = first;
            while (chain.size() < MAX_CHAIN && met.add(link.thread())) {
                chain.add(link);
                Object wants = link.locks().wants();
                if (wants == null) return null;
                Thread holder = link.locks().holder();
                Link next = holder != null ? at(holder) : ownerOf(wants);
                if (next == null) return null;
                if (next.coroutine() != null && next.thread() != first.thread()) {
                    chain.add(next);
                    return new BlockedLoopDeadlock(loop.name(), List.copyOf(chain));
                }
                link = next;
            }
            return null;
        }

        private @Nullable Link at(Thread thread) {
            ThreadLocks locks = ThreadLocks.of(thread);
            return locks == null ? null : new Link(thread, coroutineOn(thread), locks);
        }

        private @Nullable Coroutine<?> coroutineOn(Thread thread) {
            for (Coroutine<?> coroutine : coroutines) if (LoopProbe.threadOf(coroutine) == thread) return coroutine;
            return null;
        }

        private @Nullable Link ownerOf(Object monitor) {
            for (Coroutine<?> coroutine : coroutines) {
                Thread thread = LoopProbe.threadOf(coroutine);
                ThreadLocks locks = thread == null || met.contains(thread) ? null : ThreadLocks.of(thread);
                if (thread != null && locks != null && locks.owns(monitor)) return new Link(thread, coroutine, locks);
            }
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread == Thread.currentThread() || met.contains(thread)) continue;
                ThreadLocks locks = ThreadLocks.of(thread);
                if (locks != null && locks.owns(monitor)) return new Link(thread, null, locks);
            }
            return null;
        }
    }

    /** The first link, which holds the loop. */
    private Link wanting() {
        return chain.getFirst();
    }

    /** True if it is the same deadlock that was found before. */
    boolean isSame(BlockedLoopDeadlock other) {
        return wanting().thread() == other.wanting().thread()
                && wanting().locks().wants() == other.wanting().locks().wants()
                && chain.getLast().thread() == other.chain.getLast().thread();
    }

    /** The whole report. */
    String text() {
        var text = new StringBuilder("Deadlock: loop '")
                .append(loop)
                .append("' is held for ever by ")
                .append(wanting().name())
                .append(", which can't leave the thread where it waits, and waits for ")
                .append(chain.getLast().name())
                .append(", which can go on only on this thread");
        for (int i = 0; i < chain.size(); i++) {
            Link link = chain.get(i);
            text.append("\n  ").append(link.name());
            if (i > 0) text.append(i == 1 ? " holds it" : " holds that");
            if (i < chain.size() - 1)
                text.append(i > 0 ? ", and wants " : " wants ").append(lock(link.locks()));
            else text.append(", and can't run");
            addFrames(
                    text,
                    i == chain.size() - 1
                            ? ofProgram(link.locks().stack())
                            : link.locks().stack());
        }
        return text.append("\n  ")
                .append(Advice.ofDeadlock(wanting().locks().stack()))
                .toString();
    }

    private static String lock(ThreadLocks locks) {
        Object wants = locks.wants();
        String what = wants == null
                ? "?"
                : wants.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(wants));
        boolean loads = Advice.loadsClasses(locks.stack());
        return loads ? "the class loading lock " + what : what;
    }

    /** The stack without our own innermost frames, which only show how a coroutine suspends. */
    private static List<StackTraceElement> ofProgram(List<StackTraceElement> stack) {
        int begin = 0;
        while (begin < stack.size() && stack.get(begin).getClassName().startsWith("org.trueasync.internal.")) begin++;
        return begin == stack.size() ? stack : stack.subList(begin, stack.size());
    }

    private static void addFrames(StringBuilder text, List<StackTraceElement> stack) {
        List<StackTraceElement> frames = BlockedLoop.programsPart(stack);
        for (StackTraceElement frame : frames.subList(0, Math.min(frames.size(), MAX_FRAMES)))
            text.append("\n    at ").append(frame);
        if (frames.size() > MAX_FRAMES)
            text.append("\n    ... ").append(frames.size() - MAX_FRAMES).append(" more");
    }
}
