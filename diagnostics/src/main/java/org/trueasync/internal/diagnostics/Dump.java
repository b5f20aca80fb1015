package org.trueasync.internal.diagnostics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.run.RuntimeDump;
import org.trueasync.internal.watchdog.LoopReport;

/** Makes dumps for callers on any thread. */
final class Dump {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private Dump() {}

    /**
     * A dump of some runtimes. Any thread. Asks all of them before it waits for the first answer. All of them together
     * have one second; for a runtime that has not answered then, the text says what holds its loop.
     */
    static String of(List<Loop> all) {
        if (all.size() == 1 && all.getFirst() == Runtimes.hereOrNull()) return RuntimeText.of(all.getFirst());
        var answers = new ArrayList<CompletableFuture<String>>();
        for (Loop loop : all) answers.add(ask(loop, () -> RuntimeText.of(loop)));
        var texts = new ArrayList<String>();
        long end = System.nanoTime() + TIMEOUT.toNanos();
        for (int i = 0; i < answers.size(); i++) {
            String text = await(answers.get(i), end - System.nanoTime());
            texts.add(text != null ? text : LoopReport.of(new LoopProbe(all.get(i)), TIMEOUT));
        }
        return String.join("\n\n", texts);
    }

    /** Has a service coroutine make a text, because an event's {@code info()} may meet a lock. */
    static CompletableFuture<String> ask(Loop loop, Supplier<String> text) {
        var answer = new CompletableFuture<String>();
        loop.bring(
                () -> loop.inService(() -> {
                    // Not if the caller has given up, because the loop was held for long: a text that nobody reads must
                    // not hold the loop.
                    if (answer.isDone()) return;
                    try {
                        answer.complete(text.get());
                    } catch (Throwable e) {
                        answer.completeExceptionally(e); // here it would end the run
                    }
                }),
                () -> answer.complete(RuntimeDump.notRunning(loop.name())));
        return answer;
    }

    /** Waits for an answer; null if there was none in time. */
    static @Nullable String await(CompletableFuture<String> answer, long nanos) {
        try {
            return answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            answer.cancel(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.cancel(false);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("Bug in TrueAsync: a report failed; please report this trace", impossible);
        }
        return null;
    }
}
