package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.io.ChildProcess;
import org.trueasync.io.Exec;
import org.trueasync.io.ExecResult;
import org.trueasync.io.Signal;
import org.trueasync.spi.Event;
import org.trueasync.spi.Events;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.TriggerEvent;
import org.trueasync.spi.Waker;

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
            for (int i = 0; i < 500 && Async.runtimeStats().coroutines() > 1; i++) Async.delay(1);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
        assertThat(run.reports()).isEmpty();
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
                Event end = Events.process(handle(child));
                var others = new ArrayList<Coroutine<Object>>();
                for (int i = 0; i < 3; i++) others.add(Async.spawn(() -> await(Events.process(handle(child)))));
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
            Event known = Events.process(child);
            Event unknown = Events.process(child.toHandle());
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
            assertThat(await(Events.process(handle))).isNull();
            child.close();
        });
    }

    @Test
    void grandchild_firesToo() {
        withEvents(() -> {
            var pid = new long[1];
            Exec.of("sh", "-c", "sleep 0.3 >/dev/null 2>&1 & echo $!").lines(line -> pid[0] = Long.parseLong(line));
            ProcessHandle stranger = ProcessHandle.of(pid[0]).orElseThrow();
            await(Events.process(stranger));
            assertThat(stranger.isAlive()).isFalse();
        });
    }

    @Test
    void ownProcess_isRefused() {
        withEvents(() -> assertThatThrownBy(() -> Events.process(ProcessHandle.current()))
                .isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    @Tag("E3")
    void waitGivenUp_countsNoMore() {
        withEvents(() -> {
            try (ChildProcess child = Exec.of("cat").start()) {
                Event end = Events.process(handle(child));
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
            Event run = Events.exec(Exec.of("sh", "-c", "echo done; exit 2"));
            var result = (ExecResult) await(run);
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.outText()).isEqualTo("done\n");
            assertThat(await(run)).isSameAs(result);
            assertThatThrownBy(() -> await(Events.exec(Exec.of("/no/such/program"))))
                    .hasMessageContaining("/no/such/program");
        });
    }

    @Test
    void commandLosesARace_childIsEnded() {
        withEvents(() -> {
            Event slow = Events.exec(Exec.of("sleep", "1000"));
            Event quick = Events.exec(Exec.of("echo", "first"));
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
            Event signal = Events.signal(Signal.SIGURG);
            Event kill = Events.exec(Exec.of(
                    "kill", "-URG", Long.toString(ProcessHandle.current().pid())));
            Coroutine<Object> sending = Async.spawn(() -> await(kill));
            assertThat(await(signal, Events.exec(Exec.of("sleep", "1000")))).isEqualTo(Signal.SIGURG);
            Async.await(sending);
        });
    }

    @Test
    void names_areLookedUp() {
        withEvents(() -> assertThat((List<?>) await(Events.dns("127.0.0.1"))).hasSize(1));
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
}
