package org.trueasync.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.internal.watch.ScriptedWatching.next;
import static org.trueasync.internal.watch.ScriptedWatching.rest;
import static org.trueasync.internal.watch.ScriptedWatching.text;
import static org.trueasync.internal.watch.ScriptedWatching.turn;
import static org.trueasync.internal.watch.ScriptedWatching.watching;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.io.FileSystemEvent;
import org.trueasync.io.FileSystemWatcher;
import org.trueasync.spi.Events;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SourceEvent;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.Waker;
import org.trueasync.spi.WatchHandle;

/** What becomes of changes between the reactor and those who take them. */
class WatcherTest {
    @TempDir
    Path folder;

    @Test
    @Tag("F36")
    void cancelledWhileItBeginsToWatchATree_watchesNothing() throws IOException {
        Files.createDirectories(folder.resolve("a/b"));
        ScriptedWatching.run(reactor -> {
            Coroutine<?> opening =
                    Async.spawn(() -> watching(folder).recursive().build());
            while (reactor.watches().isEmpty()) Async.suspend();
            opening.cancel();
            assertThat(failureOf(opening)).isInstanceOf(AsyncCancellation.class);
            assertThat(reactor.watches()).isNotEmpty().allMatch(WatchHandle::isClosed);
        });
    }

    // ---- merging, keeping

    @Test
    @Tag("E47")
    void changesOfOneName_areOneEventUntilItIsTaken() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                var watch = reactor.watches().getFirst();
                watch.comes("a").changes("b").changes("a").changes("b");
                turn();
                assertThat(text(watcher.next())).isEqualTo("a RC");
                watch.changes("a").comes("a");
                turn();
                assertThat(text(watcher.next())).isEqualTo("b C");
                assertThat(text(watcher.next())).isEqualTo("a RC");
                watcher.close();
                assertThat(watcher.next()).isNull();
            }
        });
    }

    @Test
    @Tag("E47")
    void raw_keepsEachChange() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watching(folder).raw().build()) {
                reactor.watches()
                        .getFirst()
                        .comes("a")
                        .changes("a")
                        .changes("a")
                        .tells("a", true, true);
                turn();
                watcher.close();
                assertThat(rest(watcher)).containsExactly("a R", "a C", "a C", "a RC");
            }
        });
    }

    @Test
    @Tag("E47")
    void event_hasThePathAsItWasGiven() {
        ScriptedWatching.run(reactor -> {
            Path given = Path.of("").toAbsolutePath().relativize(folder);
            try (var watcher = new FileSystemWatcher(given)) {
                reactor.watches().getFirst().comes("a");
                assertThat(watcher.next()).isEqualTo(new FileSystemEvent(given, "a", true, false));
                assertThat(watcher.path()).isEqualTo(given);
            }
        });
    }

    @Test
    @Tag("E46")
    void moreThanIsKept_oneEventWithoutANameStandsForTheRest() {
        for (boolean raw : new boolean[] {false, true}) {
            ScriptedWatching.run(reactor -> {
                var builder = watching(folder).keep(3);
                try (var watcher = raw ? builder.raw().build() : builder.build()) {
                    var watch = reactor.watches().getFirst();
                    for (String name : List.of("a", "b", "c", "d", "e")) watch.comes(name);
                    turn();
                    assertThat(text(watcher.next())).isEqualTo("a R");
                    watch.comes("f");
                    turn();
                    assertThat(text(watcher.next())).isEqualTo("b R");
                    assertThat(text(watcher.next())).isEqualTo("c R");
                    assertThat(text(watcher.next())).isEqualTo("null RC");
                    watch.comes("g");
                    turn();
                    watcher.close();
                    assertThat(rest(watcher)).containsExactly("g R");
                }
            });
        }
    }

    @Test
    void systemLosesSomething_oneEventWithoutANameSaysSo() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watching(folder).extensions("java").build()) {
                reactor.watches().getFirst().comes("A.java").overflows().comes("B.java");
                turn();
                watcher.close();
                assertThat(rest(watcher)).containsExactly("A.java R", "null RC", "B.java R");
            }
        });
    }

    @Test
    void keep_refusesLessThanOne() {
        assertThatThrownBy(() -> watching(folder).keep(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at least 1 event must be kept, got 0");
    }

    // ---- the extension filter

    @Test
    @Tag("E50")
    void extensions_inCapitalsOrNot_othersAreNothing() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watching(folder).extensions("JAVA", ".tar.gz").build()) {
                var watch = reactor.watches().getFirst();
                watch.comes("a.java")
                        .comes("B.Java")
                        .comes("c.txt")
                        .comes("java")
                        .comes(".java");
                watch.comes("d.TAR.GZ").comes("e.gz").tells(null, false, true);
                turn();
                watcher.close();
                assertThat(rest(watcher)).containsExactly("a.java R", "B.Java R", "d.TAR.GZ R");
            }
        });
    }

    @Test
    @Tag("E50")
    void extensionThatNothingHas_yieldsNoEventAtAll() {
        ScriptedWatching.run(reactor -> {
            for (boolean quiet : new boolean[] {false, true}) {
                var builder = watching(folder).extensions("java");
                if (quiet) builder.debounce(Duration.ofMillis(1), Duration.ofMillis(1));
                try (var watcher = builder.build()) {
                    reactor.watches().getLast().comes("a.txt").comes("b").changes("c.jav");
                    Coroutine<String> taker = next(watcher);
                    Async.delay(10);
                    watcher.close();
                    assertThat(Async.await(taker)).isEqualTo("end");
                }
            }
        });
    }

    @Test
    void extensionsThatAreNone_areRefused() {
        for (String bad : new String[] {"", ".", "a/b"})
            assertThatThrownBy(() -> watching(folder).extensions(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + bad + "\"");
    }

    // ---- waiting

    @Test
    @Tag("F4")
    void severalWait_eachEventGoesToOne_inTheOrderOfTheCalls() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                var takers = List.of(next(watcher), next(watcher), next(watcher));
                turn();
                takers.get(0).cancel();
                reactor.watches().getFirst().comes("a").comes("b");
                assertThat(failureOf(takers.get(0))).isInstanceOf(AsyncCancellation.class);
                assertThat(Async.await(takers.get(1))).isEqualTo("a R");
                assertThat(Async.await(takers.get(2))).isEqualTo("b R");
            }
        });
    }

    @Test
    @Tag("F2")
    @Tag("F36")
    void cancelledAfterItWasGivenAnEvent_theNextOneGetsIt() {
        for (boolean raw : new boolean[] {false, true}) {
            ScriptedWatching.run(reactor -> {
                var builder = watching(folder);
                try (var watcher = raw ? builder.raw().build() : builder.build()) {
                    Coroutine<String> first = next(watcher);
                    turn();
                    reactor.watches().getFirst().comes("a").comes("b");
                    awaitQueued(reactor, first);
                    first.cancel();
                    assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);
                    watcher.close();
                    assertThat(rest(watcher)).containsExactly("a R", "b R");
                }
            });
        }
    }

    /** Lets the reactor run until the coroutine has been woken, without letting it run. */
    private static void awaitQueued(ScriptedReactor reactor, Coroutine<?> coroutine) {
        for (int i = 0; i < 10 && !coroutine.isQueued(); i++) {
            reactor.advance(1_000_000);
            Async.suspend();
        }
        assertThat(coroutine.isQueued()).isTrue();
    }

    @Test
    void tokenEndsFirst_watcherGoesOn() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                assertThatThrownBy(() -> watcher.next(Async.timeout(5))).isInstanceOf(OperationCanceledException.class);
                reactor.watches().getFirst().comes("a");
                assertThat(text(watcher.next(Async.timeout(5)))).isEqualTo("a R");
            }
        });
    }

    @Test
    void everythingIsThereAlready_theOthersRunAllTheSame() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = watching(folder).raw().keep(100_000).build()) {
                var watch = reactor.watches().getFirst();
                for (int i = 0; i < 50_000; i++) watch.changes("a");
                turn();
                int[] turns = {0};
                Coroutine<?> other = Async.spawn(() -> {
                    while (true) {
                        turns[0]++;
                        Async.suspend();
                    }
                });
                for (int i = 0; i < 50_000; i++) {
                    watcher.next();
                    reactor.advance(10_000);
                }
                assertThat(turns[0]).isGreaterThan(1);
                other.cancel();
                failureOf(other);
            }
        });
    }

    @Test
    @Tag("F20")
    void whoWaits_isNotInADeadlock_whoeverForgetsAWatcherKeepsNothingAlive() {
        var leftOpen = new AtomicReference<FileSystemWatcher>();
        var runtime = ScriptedWatching.run(reactor -> {
            var watcher = new FileSystemWatcher(folder);
            leftOpen.set(watcher);
            Coroutine<String> taker = next(watcher);
            turn();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            reactor.watches().getFirst().comes("a");
            assertThat(Async.await(taker)).isEqualTo("a R");
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        assertThat(runtime.reports()).isEmpty();
        Reference.reachabilityFence(leftOpen);
    }

    // ---- as an event among others

    @Test
    @Tag("E1")
    @Tag("E4")
    void event_watchesWhileItIsStarted_andFiresAgain() {
        ScriptedWatching.run(reactor -> {
            SourceEvent event = Events.fileSystem(folder);
            assertThat(reactor.watches()).isEmpty();
            for (String name : List.of("a", "b")) {
                Async.spawn(() -> {
                    Async.delay(5);
                    reactor.watches().getLast().comes(name);
                });
                Waker waker = Waker.current();
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                waker.resumeWhen(SchedulerProvider.get().timers().oneShot(Duration.ofHours(1)), ResumeCallback.RESOLVE);
                assertThat(waker.await()).isEqualTo(new WatchHandle.Change(name, true, false));
                assertThat(reactor.watches().getLast().isClosed()).isTrue();
            }
            assertThat(reactor.watches()).hasSize(2);
            assertThat(event.info()).isEqualTo("changes in " + folder);
        });
    }

    @Test
    void event_failsWithTheWatch() {
        ScriptedWatching.run(reactor -> {
            Waker waker = Waker.current();
            waker.resumeWhen(Events.fileSystem(folder), ResumeCallback.RESOLVE);
            Async.spawn(() -> reactor.watches().getLast().fails(new SystemError("EIO", "i/o error")));
            assertThatThrownBy(waker::await)
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("watch " + folder + ": EIO (i/o error)");
        });
    }

    // ---- the end

    @Test
    @Tag("E48")
    void closed_givesWhatWasKept_thenEnds_again() {
        ScriptedWatching.run(reactor -> {
            var watcher = new FileSystemWatcher(folder);
            reactor.watches().getFirst().comes("a").comes("b");
            turn();
            assertThat(watcher.isClosed()).isFalse();
            watcher.close();
            watcher.close();
            assertThat(watcher.isClosed()).isTrue();
            assertThat(rest(watcher)).containsExactly("a R", "b R");
            assertThat(rest(watcher)).isEmpty();
            assertThatThrownBy(() -> watcher.iterator().next()).isInstanceOf(java.util.NoSuchElementException.class);
        });
    }

    @Test
    @Tag("E48")
    @Tag("F5")
    void closedByAnotherCoroutine_allIterationsEndNormally() {
        ScriptedWatching.run(reactor -> {
            var watcher = new FileSystemWatcher(folder);
            var iterations = new ArrayList<Coroutine<List<String>>>();
            for (int i = 0; i < 3; i++) iterations.add(Async.spawn(() -> rest(watcher)));
            turn();
            reactor.watches().getFirst().comes("a");
            turn();
            watcher.close();
            assertThat(Async.awaitAllOrFail(iterations).stream().flatMap(List::stream))
                    .containsExactly("a R");
        });
    }

    @Test
    @Tag("E48")
    void iterationCancelled_endsItAndKeepsTheWatcher() {
        ScriptedWatching.run(reactor -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                Coroutine<List<String>> iteration = Async.spawn(() -> rest(watcher));
                turn();
                iteration.cancel();
                assertThat(failureOf(iteration)).isInstanceOf(AsyncCancellation.class);
                reactor.watches().getFirst().comes("a");
                assertThat(text(watcher.next())).isEqualTo("a R");
            }
        });
    }

    @Test
    @Tag("E48")
    void shutdown_endsTheIteration() {
        List<String> seen = new ArrayList<>();
        ScriptedWatching.run(reactor -> {
            var watcher = new FileSystemWatcher(folder);
            Async.spawn(() -> {
                try (watcher) {
                    for (FileSystemEvent event : watcher) seen.add(text(event));
                } finally {
                    seen.add("over");
                }
            });
            turn();
            Async.gracefulShutdown();
        });
        assertThat(seen).containsExactly("over");
    }

    @Test
    void folderGoes_whatWasNoticedIsGiven_thenTheError() {
        ScriptedWatching.run(reactor -> {
            var watcher = new FileSystemWatcher(folder);
            Coroutine<List<String>> iteration = Async.spawn(() -> rest(watcher));
            turn();
            reactor.watches().getFirst().comes("a").tells(null, true, false);
            assertThat(failureOf(iteration))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("watch " + folder + ": ENOENT (the folder is gone)")
                    .extracting("errno")
                    .isEqualTo("ENOENT");
            assertThat(watcher.isClosed()).isTrue();
            assertThatThrownBy(watcher::next).isInstanceOf(InputOutputException.class);
            watcher.close();
        });
    }

    @Test
    void watchFails_everybodyIsTold() {
        ScriptedWatching.run(reactor -> {
            var watcher = new FileSystemWatcher(folder);
            var takers = List.of(next(watcher), next(watcher));
            turn();
            reactor.watches().getFirst().fails(new SystemError("EIO", "i/o error"));
            for (Coroutine<String> taker : takers)
                assertThat(failureOf(taker))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessage("watch " + folder + ": EIO (i/o error)");
        });
    }

    @Test
    void limitReached_constructorFailsWithTheReactorsWords() {
        ScriptedWatching.run(reactor -> {
            reactor.refuseWatches(new InputOutputException("watch it: ENOSPC (no space)", "ENOSPC"));
            assertThatThrownBy(() -> new FileSystemWatcher(folder))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageStartingWith("watch it: ENOSPC");
        });
    }

    @Test
    @Tag("E46")
    void missingPath_isRefusedAtOnce() {
        ScriptedWatching.run(reactor -> {
            Path missing = folder.resolve("missing");
            assertThatThrownBy(() -> new FileSystemWatcher(missing))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("watch " + missing + ": ENOENT (no such file or directory)")
                    .extracting("errno")
                    .isEqualTo("ENOENT");
            assertThat(reactor.watches()).isEmpty();
        });
    }

    @Test
    void outsideARuntime_isRefused() {
        assertThatThrownBy(() -> new FileSystemWatcher(folder)).isInstanceOf(org.trueasync.AsyncException.class);
    }
}
