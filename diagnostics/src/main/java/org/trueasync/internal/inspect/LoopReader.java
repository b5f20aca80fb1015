package org.trueasync.internal.inspect;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.trueasync.internal.diagnostics.TreeWalk;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.run.RuntimeDump;
import org.trueasync.internal.watchdog.LoopReport;

/**
 * Reads what only a loop's own thread may read, for another thread: in portions of a millisecond, with as much time
 * between two of them for the program. If the loop has nothing else to do, it goes on at once.
 */
final class LoopReader {
    private static final int MAX_SECONDS = 5;
    private static final long PORTION_NANOS = 1_000_000;

    /** The loop has not answered; the message says why, for a person to read. */
    static final class Unanswered extends Exception {
        private static final long serialVersionUID = 1;

        Unanswered(String message) {
            super(message, null, false, false);
        }

        /** What it says, never null. */
        String text() {
            return String.valueOf(getMessage());
        }
    }

    /** Takes over what a portion has brought: no step is under way then. */
    @FunctionalInterface
    interface Taker {
        Taken take();
    }

    /** What a portion has brought; written while the next one may be under way. */
    @FunctionalInterface
    interface Taken {
        void write() throws IOException;
    }

    private LoopReader() {}

    /**
     * Walks to the end.
     *
     * @param loop that the walk is of
     * @param walk the walk
     * @param taker called on the calling thread after each portion, as is what it returns
     * @throws Unanswered if the loop is held, or has ended
     */
    static void walk(Loop loop, TreeWalk walk, Taker taker) throws Unanswered, IOException, InterruptedException {
        var probe = new LoopProbe(loop);
        CompletableFuture<Boolean> portion = post(loop, () -> portion(walk));
        try {
            while (true) {
                boolean more = await(portion, probe);
                long answered = System.nanoTime();
                Taken taken = taker.take();
                boolean isIdle = probe.isWaiting();
                if (more && isIdle) portion = post(loop, () -> portion(walk));
                taken.write();
                if (!more) return;
                if (isIdle) continue;
                if (!probe.isWaiting()) LockSupport.parkNanos(answered + PORTION_NANOS - System.nanoTime());
                portion = post(loop, () -> portion(walk));
            }
        } finally {
            portion.cancel(false);
        }
    }

    private static boolean portion(TreeWalk walk) {
        long end = System.nanoTime() + PORTION_NANOS;
        do {
            if (!walk.step()) return false;
        } while (System.nanoTime() - end < 0);
        return true;
    }

    /**
     * Has a service coroutine of the loop answer, because an event's {@code info()} may meet a lock.
     *
     * @throws Unanswered if the loop is held, or has ended
     */
    static <T> T ask(Loop loop, Supplier<T> question) throws Unanswered, InterruptedException {
        return await(post(loop, question), new LoopProbe(loop));
    }

    private static <T> CompletableFuture<T> post(Loop loop, Supplier<T> question) {
        var answer = new CompletableFuture<T>();
        loop.bring(
                () -> loop.inService(() -> {
                    if (answer.isDone()) return; // the caller has given up: what nobody reads must not hold the loop
                    try {
                        answer.complete(question.get());
                    } catch (Throwable e) {
                        answer.completeExceptionally(e); // here it would end the run
                    }
                }),
                () -> answer.completeExceptionally(new Unanswered(ended(loop))));
        return answer;
    }

    /** Waits for as long as the loop does something, or may be about to. */
    private static <T> T await(CompletableFuture<T> answer, LoopProbe loop) throws Unanswered, InterruptedException {
        for (int seconds = 1; ; seconds++) {
            long progress = loop.progress();
            try {
                return answer.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException late) {
                boolean isHeld = !loop.isWaiting() && loop.progress() == progress;
                if (!isHeld && seconds < MAX_SECONDS) continue;
                answer.cancel(false);
                throw new Unanswered(LoopReport.of(loop, Duration.ofSeconds(seconds)));
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Unanswered ended) throw ended;
                throw new Unanswered("Runtime '" + loop.name() + "' could not be read: " + e.getCause());
            }
        }
    }

    private static String ended(Loop loop) {
        return RuntimeDump.notRunning(loop.name());
    }
}
