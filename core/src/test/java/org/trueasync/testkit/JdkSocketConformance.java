package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.trueasync.Coroutine;

/**
 * The JDK's waits for sockets and selectors, on threads of a loop: whatever ends them, they end as on a virtual thread
 * of the JDK's own scheduler.
 */
public abstract class JdkSocketConformance {
    private static final String BY_ITSELF = "by itself";
    private static final String CLOSED_BY_THREAD = "closed by a thread";
    private static final String CLOSED_BY_COROUTINE = "closed by a coroutine";
    private static final String INTERRUPTED = "interrupted";
    private static final String CANCELLED = "cancelled";
    private static final int ATTEMPTS = 20;

    /** Who waits. */
    private enum Who {
        COROUTINE,
        /** A virtual thread that code in a coroutine has started. */
        LIBRARY_THREAD,
        /** A coroutine that can't leave the loop: whatever ends its wait comes from another thread. */
        PINNED_COROUTINE;

        boolean canMeet(String end) {
            return switch (end) {
                case CANCELLED -> this == COROUTINE;
                case CLOSED_BY_COROUTINE -> this != PINNED_COROUTINE;
                default -> true;
            };
        }
    }

    /** One wait, from its making to its end. */
    private interface Attempt {
        SocketWaiter run() throws Exception;
    }

    private static final Map<String, String> EXPECTED = new ConcurrentHashMap<>();

    private final ReactorKit kit;

    protected JdkSocketConformance(ReactorKit kit) {
        this.kit = kit;
    }

    @TestFactory
    @Tag("deep")
    Stream<DynamicTest> wait_endsAsOnAVirtualThreadOfTheJdk() throws Exception {
        var all = new LinkedHashMap<String, SocketWait.Maker>();
        all.putAll(SocketWaits.all());
        all.putAll(DatagramWaits.all());
        all.putAll(SelectorWaits.all());
        List<DynamicTest> tests = new ArrayList<>();
        for (String name : all.keySet()) {
            SocketWait.Maker maker = all.get(name);
            for (String end : ends(maker))
                for (Who who : Who.values())
                    if (who.canMeet(end))
                        tests.add(DynamicTest.dynamicTest(name + "; " + end + "; " + who, () -> assertThat(
                                        outcome(end, () -> onOurLoop(maker, end, who)))
                                .isEqualTo(expected(name, maker, end))));
        }
        return tests.stream();
    }

    private static Set<String> ends(SocketWait.Maker maker) throws Exception {
        try (SocketWait wait = maker.make()) {
            if (wait.endsByItself()) return Set.of(BY_ITSELF);
            var all = new LinkedHashSet<String>(wait.ends());
            all.addAll(List.of(CLOSED_BY_THREAD, CLOSED_BY_COROUTINE, INTERRUPTED, CANCELLED));
            return all;
        }
    }

    private static String expected(String name, SocketWait.Maker maker, String end) throws Exception {
        String sameAs = end.equals(CANCELLED) ? INTERRUPTED : end.equals(CLOSED_BY_COROUTINE) ? CLOSED_BY_THREAD : end;
        String known = EXPECTED.get(name + sameAs);
        if (known != null) return known;
        String outcome = outcome(sameAs, () -> onAThreadOfTheJdk(maker, sameAs));
        EXPECTED.put(name + sameAs, outcome);
        return outcome;
    }

    /** A close that comes between two calls of the waiter's meets no wait: then the attempt is made again. */
    private static String outcome(String end, Attempt attempt) throws Exception {
        boolean closes = end.equals(CLOSED_BY_THREAD) || end.equals(CLOSED_BY_COROUTINE);
        for (int i = 0; i < ATTEMPTS; i++) {
            SocketWaiter waiter = attempt.run();
            if (!closes || waiter.hasStayedInItsCall()) return waiter.outcome();
        }
        throw new AssertionError("no close met a wait in " + ATTEMPTS + " attempts: the call had always returned");
    }

    private static SocketWaiter onAThreadOfTheJdk(SocketWait.Maker maker, String end) throws Exception {
        try (SocketWait wait = maker.make()) {
            var waiter = new SocketWaiter(wait);
            Thread.ofVirtual().start(waiter::runQuietly);
            waiter.awaitParked();
            endByThread(wait, waiter, end);
            waiter.awaitOutcome();
            return waiter;
        }
    }

    private SocketWaiter onOurLoop(SocketWait.Maker maker, String end, Who who) throws Exception {
        var run = new TestRun(kit::create);
        try (SocketWait wait = maker.make()) {
            var waiter = new SocketWaiter(wait);
            run.run(() -> {
                switch (who) {
                    case COROUTINE -> inACoroutine(wait, waiter, end);
                    case LIBRARY_THREAD -> inALibraryThread(wait, waiter, end);
                    case PINNED_COROUTINE -> pinned(wait, waiter, end);
                }
            });
            if (!end.equals(CANCELLED)) assertThat(run.complaints()).isEmpty();
            return waiter;
        }
    }

    private static void inACoroutine(SocketWait wait, SocketWaiter waiter, String end) throws Exception {
        if (!end.equals(CANCELLED)) {
            Coroutine<?> coroutine = spawn(waiter::runQuietly);
            end(wait, waiter, end);
            await(coroutine);
            return;
        }
        Coroutine<?> coroutine = spawn(waiter::run);
        waiter.untilParked();
        coroutine.cancel("no longer wanted");
        Throwable thrown = TestRun.failureOf(coroutine);
        if (!waiter.hasFailed()) return; // a selector returns when it is interrupted, and a value is not lost
        assertThat(thrown).hasMessageContaining("no longer wanted");
        assertThat(coroutine.isCancelled()).isTrue();
    }

    private static void inALibraryThread(SocketWait wait, SocketWaiter waiter, String end) throws Exception {
        Thread thread = Thread.startVirtualThread(waiter::runQuietly);
        end(wait, waiter, end);
        assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    }

    private static void pinned(SocketWait wait, SocketWaiter waiter, String end) throws Exception {
        Thread other = SocketWaiter.platform(() -> {
            waiter.awaitParked();
            endByThread(wait, waiter, end);
            waiter.awaitOutcome();
        });
        NativeFrame.run(waiter::runQuietly);
        other.join();
    }

    private static void end(SocketWait wait, SocketWaiter waiter, String end) throws Exception {
        waiter.untilParked();
        if (end.equals(CLOSED_BY_COROUTINE)) await(spawn(wait::closeUnderTheWaiter));
        else SocketWaiter.platform(() -> endByThread(wait, waiter, end)).join();
        waiter.awaitOutcome();
    }

    private static void endByThread(SocketWait wait, SocketWaiter waiter, String end) {
        switch (end) {
            case BY_ITSELF -> {}
            case CLOSED_BY_THREAD -> wait.closeUnderTheWaiter();
            case INTERRUPTED -> waiter.thread().interrupt();
            default -> wait.end(end);
        }
    }
}
