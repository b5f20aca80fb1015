package org.trueasync.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.internal.watch.ScriptedWatching.next;
import static org.trueasync.internal.watch.ScriptedWatching.rest;
import static org.trueasync.internal.watch.ScriptedWatching.text;
import static org.trueasync.internal.watch.ScriptedWatching.watching;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.io.FileSystemWatcher;

/** Quiet windows of 100 ms, holds of 1000 ms, in virtual time. */
@Tag("E50")
class DebounceTest {
    @TempDir
    Path folder;

    private FileSystemWatcher watcher() {
        return watching(folder)
                .debounce(Duration.ofMillis(100), Duration.ofMillis(1000))
                .build();
    }

    private static long millis(ScriptedReactor reactor) {
        return reactor.nanoTime() / 1_000_000;
    }

    @Test
    void burstEnds_oneEventWithoutANameAfterTheQuietWindow() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watcher()) {
                var watch = reactor.watches().getFirst();
                Coroutine<String> taker = next(watcher);
                for (int i = 0; i < 5; i++) {
                    Async.delay(60);
                    if (i == 0) watch.comes("a");
                    else watch.changes("b" + i);
                }
                assertThat(taker.isCompleted()).isFalse();
                assertThat(Async.await(taker)).isEqualTo("null RC");
                assertThat(millis(reactor)).isEqualTo(400);
                watcher.close();
                assertThat(rest(watcher)).isEmpty();
            }
        });
    }

    @Test
    void burstWithoutEnd_eventComesWhenTheFirstHasBeenHeldForLongEnough() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watcher()) {
                Coroutine<?> burst = Async.spawn(() -> {
                    while (true) {
                        reactor.watches().getFirst().changes("a");
                        Async.delay(10);
                    }
                });
                Coroutine<String> taker = next(watcher);
                assertThat(Async.await(taker)).isEqualTo("null C");
                assertThat(millis(reactor)).isBetween(1000L, 1020L);
                assertThat(text(watcher.next())).isEqualTo("null C");
                assertThat(millis(reactor)).isBetween(2000L, 2040L);
                burst.cancel();
                failureOf(burst);
            }
        });
    }

    @Test
    void nobodyWaited_quietWindowThatHasPassedIsNotWaitedForAgain() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watcher()) {
                var watch = reactor.watches().getFirst();
                watch.comes("a");
                Async.delay(200);
                assertThat(Async.runtimeStats().timers()).isZero();
                watch.changes("b");
                Async.delay(10);
                long before = millis(reactor);
                assertThat(text(watcher.next())).isEqualTo("null RC");
                assertThat(millis(reactor)).isEqualTo(before);
            }
        });
    }

    @Test
    @Tag("E48")
    void closed_givesWhatWasHeldAtOnce() {
        ScriptedWatching.run(reactor -> {
            var watcher = watcher();
            Coroutine<String> taker = next(watcher);
            reactor.watches().getFirst().comes("a");
            Async.delay(5);
            assertThat(taker.isCompleted()).isFalse();
            watcher.close();
            assertThat(Async.await(taker)).isEqualTo("null R");
            assertThat(millis(reactor)).isEqualTo(5);
            assertThat(rest(watcher)).isEmpty();
        });
    }

    @Test
    @Tag("F38")
    void waitGivenUp_noTimerIsLeft_eventComesToTheNext() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watcher()) {
                reactor.watches().getFirst().comes("a");
                assertThatThrownBy(() -> watcher.next(Async.timeout(50)))
                        .isInstanceOf(OperationCanceledException.class);
                assertThat(Async.runtimeStats().timers()).isZero();
                assertThat(text(watcher.next())).isEqualTo("null R");
                assertThat(millis(reactor)).isEqualTo(100);
            }
        });
    }

    @Test
    @Tag("F2")
    void cancelledWithTheEvent_nextOneGetsItAtOnce() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watcher()) {
                Coroutine<String> first = next(watcher);
                Async.delay(1);
                reactor.watches().getFirst().comes("a");
                // both timers fire in one turn, and the main coroutine goes first
                Async.currentCoroutine().asHighPriority();
                Async.delay(100);
                assertThat(first.isQueued()).isTrue();
                first.cancel();
                long before = millis(reactor);
                assertThat(text(watcher.next())).isEqualTo("null R");
                assertThat(millis(reactor)).isEqualTo(before);
                assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);
            }
        });
    }

    @Test
    void longestTimes_areTakenAsTheyAre() {
        ScriptedWatching.run(reactor -> {
            var longest = Duration.ofSeconds(Long.MAX_VALUE);
            var watcher = watching(folder).debounce(longest, longest).build();
            reactor.watches().getFirst().comes("a");
            assertThatThrownBy(() -> watcher.next(Async.timeout(50))).isInstanceOf(OperationCanceledException.class);
            watcher.close();
            assertThat(rest(watcher)).containsExactly("null R");
        });
    }

    @Test
    void timesOutOfRange_areRefused() {
        var builder = watching(folder);
        assertThatThrownBy(() -> builder.debounce(Duration.ZERO, Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("quiet must be > 0 ms, got 0");
        assertThatThrownBy(() -> builder.debounce(Duration.ofMillis(2), Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("hold must be >= quiet (PT0.002S), got PT0.001S");
    }
}
