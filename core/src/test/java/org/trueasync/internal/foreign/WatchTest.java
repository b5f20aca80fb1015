package org.trueasync.internal.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.spi.PollHandle.READABLE;
import static org.trueasync.spi.PollHandle.WRITABLE;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.PollException;
import org.trueasync.internal.testkit.ScriptedPoll;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Poll;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.Waker;

class WatchTest {
    private static final int DESCRIPTOR = 7;

    private final ScriptedReactor reactor = new ScriptedReactor();
    private final TestRuntime runtime = new TestRuntime(settings -> settings.reactor(() -> reactor));

    private static Object waitFor(int interest) {
        Waker waker = Waker.current();
        waker.resumeWhen(Poll.watch(DESCRIPTOR, interest), ResumeCallback.RESOLVE);
        return waker.await();
    }

    private static List<Coroutine<?>> waiters() {
        var waiters = new ArrayList<Coroutine<?>>();
        for (int interest : new int[] {READABLE, WRITABLE, READABLE | WRITABLE, READABLE})
            waiters.add(Async.spawn(() -> waitFor(interest)));
        Async.suspend();
        return waiters;
    }

    @Test
    @Tag("E22")
    void watchFails_everyProxyIsWokenWithTheError() {
        runtime.start(() -> {
            List<Coroutine<?>> waiters = waiters();
            assertThat(reactor.polls()).hasSize(1);
            ScriptedPoll poll = reactor.polls().getFirst();
            assertThat(poll.interest()).isEqualTo(READABLE | WRITABLE);

            poll.fails(new SystemError("EBADF", "bad file descriptor"));
            for (Coroutine<?> waiter : waiters) {
                Throwable thrown = null;
                try {
                    Async.await(waiter);
                } catch (PollException e) {
                    thrown = e;
                }
                assertThat(thrown)
                        .isInstanceOf(PollException.class)
                        .hasMessage("watch descriptor 7: EBADF (bad file descriptor)");
                assertThat(((PollException) thrown).errno()).isEqualTo("EBADF");
            }
            assertThat(poll.isClosed()).isTrue();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("E22")
    @Tag("E21")
    void watchFailsWhileAProxyIsBeingCancelled_theOthersAreWokenAndALaterWatchIsANewOne() {
        runtime.start(() -> {
            List<Coroutine<?>> waiters = waiters();
            ScriptedPoll poll = reactor.polls().getFirst();
            waiters.get(1).cancel();
            poll.fails(new SystemError("EBADF", "bad file descriptor"));
            Async.delay(1);
            assertThat(waiters).allMatch(Coroutine::isCompleted);
            assertThat(waiters.get(1).isCancelled()).isTrue();
            for (int i : new int[] {0, 2, 3})
                assertThat(waiters.get(i).exception()).isInstanceOf(PollException.class);

            Coroutine<?> later = Async.spawn(() -> waitFor(READABLE));
            Async.suspend();
            assertThat(reactor.polls()).hasSize(2);
            reactor.polls().getLast().ready(READABLE);
            assertThat(Async.await(later)).isEqualTo(READABLE);
        });
    }
}
