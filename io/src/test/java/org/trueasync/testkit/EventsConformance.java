package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.io.ChildProcess;
import org.trueasync.io.Exec;
import org.trueasync.io.ExecResult;
import org.trueasync.io.IoEvents;
import org.trueasync.io.Signal;
import org.trueasync.spi.Event;
import org.trueasync.spi.Events;
import org.trueasync.spi.Poll;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TriggerEvent;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.ReactorKit.Descriptors;

/** What {@link Events} makes, awaited alone and mixed, on whatever reactor. */
public abstract class EventsConformance {
    private final ReactorKit kit;
    private final TestRun run;

    protected EventsConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    private void withEvents(Body body) {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes");
        run.run(() -> {
            body.run();
            settle();
        });
        assertThat(run.complaints()).isEmpty();
    }

    private static Object await(Event... events) {
        Waker waker = Waker.current();
        for (Event event : events) waker.resumeWhen(event, ResumeCallback.RESOLVE);
        return waker.await();
    }

    private static ProcessHandle handle(ChildProcess child) {
        return child.toHandle().orElseThrow();
    }

    // ---- processes

    @Test
    @Tag("E44")
    void childOfOurs_firesWithItsStatus() {
        withEvents(() -> {
            try (ChildProcess child = Exec.of("sh", "-c", "read line; exit 17").start()) {
                Event end = IoEvents.process(handle(child));
                var others = new ArrayList<Coroutine<Object>>();
                for (int i = 0; i < 3; i++) others.add(Async.spawn(() -> await(IoEvents.process(handle(child)))));
                Coroutine<Integer> direct = Async.spawn(() -> child.await());
                Async.suspend();
                child.stdin().close();
                assertThat(await(end)).isEqualTo(17);
                for (Coroutine<Object> other : others)
                    assertThat(Async.await(other)).isEqualTo(17);
                assertThat(Async.await(direct)).isEqualTo(17);
                assertThat(await(end)).isEqualTo(17);
                assertThat(end.isClosed()).isTrue();
            }
        });
    }

    @Test
    @Tag("E44")
    void childOfTheJdk_firesWithItsStatusIfItIsKnownAsSuch() {
        withEvents(() -> {
            Process child = new ProcessBuilder("sh", "-c", "read line; exit 18").start();
            Event known = IoEvents.process(child);
            Event unknown = IoEvents.process(child.toHandle());
            Coroutine<Object> first = Async.spawn(() -> await(known));
            Coroutine<Object> second = Async.spawn(() -> await(unknown));
            Async.suspend();
            child.getOutputStream().close();
            assertThat(Async.await(first)).isEqualTo(18);
            assertThat(Async.await(second)).isNull();
        });
    }

    @Test
    @Tag("E44")
    void reapedAlready_statusIsUnknown() {
        withEvents(() -> {
            ChildProcess child = Exec.of("cat").start();
            ProcessHandle handle = handle(child);
            child.stdin().close();
            assertThat(child.await()).isZero();
            assertThat(await(IoEvents.process(handle))).isNull();
            child.close();
        });
    }

    @Test
    @Tag("deep")
    void grandchild_firesToo() {
        withEvents(() -> {
            var pid = new long[1];
            Exec.of("sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!").lines(line -> pid[0] = Long.parseLong(line));
            ProcessHandle stranger = ProcessHandle.of(pid[0]).orElseThrow();
            Event ended = IoEvents.process(stranger);
            assertThat(stranger.destroyForcibly()).isTrue();
            await(ended);
            assertThat(stranger.isAlive()).isFalse();
        });
    }

    @Test
    void ownProcess_isRefused() {
        withEvents(() -> assertThatThrownBy(() -> IoEvents.process(ProcessHandle.current()))
                .isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    @Tag("E3")
    void waitGivenUp_countsNoMore() {
        withEvents(() -> {
            try (ChildProcess child = Exec.of("cat").start()) {
                Event end = IoEvents.process(handle(child));
                Coroutine<Object> waiting = Async.spawn(() -> await(end));
                Async.suspend();
                assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
                waiting.cancel();
                Async.suspend();
                assertThat(Async.runtimeStats().activeEvents()).isZero();
            }
        });
    }

    // ---- threads

    @Test
    void threadEnds_fires() {
        withEvents(() -> {
            for (Thread.Builder kind : List.<Thread.Builder>of(Thread.ofPlatform(), Thread.ofVirtual())) {
                var go = new CountDownLatch(1);
                Thread thread = kind.start(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                Event end = Events.thread(thread);
                Coroutine<Object> waiting = Async.spawn(() -> await(end));
                Async.suspend();
                assertThat(waiting.isCompleted()).isFalse();
                go.countDown();
                assertThat(Async.await(waiting)).isNull();
                assertThat(thread.isAlive()).isFalse();
                assertThat(await(Events.thread(thread))).isNull();
            }
        });
    }

    @Test
    void threadThatCantBeAwaited_isRefused() {
        withEvents(() -> {
            assertThatThrownBy(() -> Events.thread(Thread.ofPlatform().unstarted(() -> {})))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Events.thread(Thread.currentThread()))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    // ---- commands, signals, names

    @Test
    void command_firesWithItsResult() {
        withEvents(() -> {
            Event run = IoEvents.exec(Exec.of("sh", "-c", "echo done; exit 2"));
            var result = (ExecResult) await(run);
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.outText()).isEqualTo("done\n");
            assertThat(await(run)).isSameAs(result);
            assertThatThrownBy(() -> await(IoEvents.exec(Exec.of("/no/such/program"))))
                    .hasMessageContaining("/no/such/program");
        });
    }

    @Test
    void commandLosesARace_childIsEnded() {
        withEvents(() -> {
            Event slow = IoEvents.exec(Exec.of("sleep", "1000"));
            Event quick = IoEvents.exec(Exec.of("echo", "first"));
            assertThat(((ExecResult) await(slow, quick)).outText()).isEqualTo("first\n");
            for (int i = 0; i < 2_000 && hasSleepingChild(); i++) Async.delay(1);
            assertThat(hasSleepingChild()).isFalse();
        });
    }

    private static boolean hasSleepingChild() {
        return ProcessHandle.current().children().anyMatch(child -> child.info().arguments().stream()
                .anyMatch(a -> List.of(a).contains("1000")));
    }

    @Test
    void signalAmongOthers_fires() {
        withEvents(() -> {
            Event signal = IoEvents.signal(Signal.SIGURG);
            Event kill = IoEvents.exec(Exec.of(
                    "kill", "-URG", Long.toString(ProcessHandle.current().pid())));
            Coroutine<Object> sending = Async.spawn(() -> await(kill));
            assertThat(await(signal, IoEvents.exec(Exec.of("sleep", "1000")))).isEqualTo(Signal.SIGURG);
            Async.await(sending);
        });
    }

    @Test
    void names_areLookedUp() {
        withEvents(() -> assertThat((List<?>) await(IoEvents.dns("127.0.0.1"))).hasSize(1));
    }

    // ---- triggers

    @Test
    @Tag("E15")
    void triggerFromAnotherThread_firesOnceForSeveral() {
        withEvents(() -> {
            TriggerEvent trigger = Events.trigger();
            int[] times = {0};
            Coroutine<?> waiting = Async.spawn(() -> {
                while (true) {
                    await(trigger);
                    times[0]++;
                }
            });
            Async.suspend();
            trigger.trigger();
            trigger.trigger();
            Async.suspend();
            Async.suspend();
            assertThat(times[0]).isEqualTo(1);
            Thread.ofPlatform().start(trigger::trigger).join();
            Async.suspend();
            Async.suspend();
            assertThat(times[0]).isEqualTo(2);
            waiting.cancel();
            Async.suspend();
            trigger.trigger();
            trigger.trigger();
            await(trigger);
            trigger.dispose();
            trigger.trigger();
            assertThat(trigger.info()).isEqualTo("trigger, closed");
        });
    }

    @Test
    @Tag("E15")
    void triggerOfARunThatHasEnded_doesNothing() {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes");
        TriggerEvent[] trigger = new TriggerEvent[1];
        run.run(() -> trigger[0] = Events.trigger());
        trigger[0].trigger();
    }

    // ---- all kinds mixed

    /** One kind of event: how to make one that does not happen by itself, and what makes it happen. */
    private record Kind(String name, Supplier<Event> event, Body happen) {}

    private List<Kind> kinds(
            Path folder, ChildProcess child, Thread thread, CountDownLatch go, @Nullable Descriptors os) {
        TriggerEvent trigger = Events.trigger();
        // not in the watched folder; cat waits for who writes, and leaves no process of its own behind when it is ended
        String fifo = folder.resolveSibling(folder.getFileName() + ".fifo").toString();
        assertThat(Exec.of("mkfifo", fifo).run().isSuccess()).isTrue();
        var kinds = new ArrayList<>(List.of(
                new Kind("signal", () -> IoEvents.signal(Signal.SIGURG), () -> Exec.of(
                                "kill",
                                "-URG",
                                Long.toString(ProcessHandle.current().pid()))
                        .run()),
                new Kind(
                        "fileSystem",
                        () -> Events.fileSystem(folder),
                        () -> Files.createDirectory(folder.resolve("new"))),
                new Kind("process", () -> IoEvents.process(handle(child)), () -> child.stdin()
                        .close()),
                new Kind("thread", () -> Events.thread(thread), go::countDown),
                new Kind("exec", () -> IoEvents.exec(Exec.of("cat", fifo)), () -> Exec.of(
                                "sh", "-c", "echo > \"$0\"", fifo)
                        .run()),
                new Kind("trigger", () -> trigger, trigger::trigger)));
        if (os != null) {
            int[] pair = os.pair();
            kinds.add(new Kind("poll", () -> Poll.watch(pair[0], PollHandle.READABLE), () -> os.write(pair[1], 1)));
            openDescriptors.add(pair[0]);
            openDescriptors.add(pair[1]);
        }
        return kinds;
    }

    private final List<Integer> openDescriptors = new ArrayList<>();

    @AfterEach
    void closeDescriptors() {
        Descriptors os = kit.descriptors();
        if (os != null) openDescriptors.forEach(os::close);
    }

    @TempDir
    Path temporary;

    private static Event timer(Duration delay) {
        return SchedulerProvider.get().timers().oneShot(delay);
    }

    /** Waits for all of them, and gives those that have happened. */
    private static Coroutine<List<Event>> waiter(List<Event> events) {
        return Async.spawn(() -> {
            Waker waker = Waker.current();
            for (Event event : events) waker.resumeWhen(event, ResumeCallback.RESOLVE);
            waker.await();
            return List.copyOf(waker.triggeredEvents());
        });
    }

    /** Nothing is armed any more, and nobody but this coroutine is there; a command that lost takes its time to end. */
    private static void settle() {
        long end = System.nanoTime() + 30_000_000_000L;
        while (Async.runtimeStats().coroutines() > 1 && System.nanoTime() - end < 0) Async.delay(1);
        assertThat(Async.runtimeStats().coroutines())
                .as(
                        "%s",
                        Async.coroutines().stream()
                                .map(c -> c + " " + c.awaitingInfo())
                                .toList())
                .isEqualTo(1);
        assertThat(Async.runtimeStats().activeEvents()).isZero();
    }

    @Test
    @Tag("E1")
    @Tag("E5")
    @Tag("F22")
    @Tag("F37")
    void allKindsInOneWait_whicheverHappensWakesAndTheOthersAreDisarmed() {
        withEvents(() -> {
            int rounds = kit.descriptors() == null ? 6 : 7;
            for (int round = 0; round < rounds; round++) {
                var go = new CountDownLatch(1);
                Thread thread = Thread.ofPlatform().daemon().start(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                Path folder = Files.createDirectory(temporary.resolve("round" + round));
                try (ChildProcess child = Exec.of("cat").start()) {
                    List<Kind> kinds = kinds(folder, child, thread, go, kit.descriptors());
                    var events = new ArrayList<>(
                            kinds.stream().map(kind -> kind.event().get()).toList());
                    events.add(timer(Duration.ofHours(1)));
                    Kind first = kinds.get(round);
                    assertThat(Async.runtimeStats().activeEvents()).isZero();
                    Coroutine<List<Event>> waiter = waiter(events);
                    for (int i = 0; i < 5; i++) Async.delay(1);
                    assertThat(waiter.isCompleted()).as(first.name()).isFalse();
                    assertThat(Async.runtimeStats().activeEvents())
                            .as("armed for %s", first.name())
                            .isGreaterThanOrEqualTo(events.size() - 1);
                    first.happen().run();
                    assertThat(Async.await(waiter)).as(first.name()).containsExactly(events.get(round));
                    settle();
                    go.countDown();
                }
            }
        });
    }

    @Test
    @Tag("E1")
    @Tag("E5")
    @Tag("F22")
    @Tag("F37")
    void allKindsInOneWait_aTimerOrALookUpEndsItToo() {
        withEvents(() -> {
            for (int round = 0; round < 2; round++) {
                var go = new CountDownLatch(1);
                Thread thread = Thread.ofPlatform().daemon().start(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                Path folder = Files.createDirectory(temporary.resolve("round" + round));
                try (ChildProcess child = Exec.of("cat").start()) {
                    var events = new ArrayList<>(kinds(folder, child, thread, go, kit.descriptors()).stream()
                            .map(kind -> kind.event().get())
                            .toList());
                    Event last = round == 0 ? timer(Duration.ofMillis(5)) : IoEvents.dns("localhost");
                    events.add(last);
                    assertThat(Async.runtimeStats().activeEvents()).isZero();
                    assertThat(Async.await(waiter(events))).containsExactly(last);
                    settle();
                    go.countDown();
                }
            }
        });
    }
}
