package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.TimerEvent;

/**
 * A send has been served when its wait ends for another reason: it has succeeded, and the reason is due at the next
 * wait, once.
 */
@Tag("D13")
class ServedAndCancelledTest {
    private final AsyncCancellation reason = new AsyncCancellation("given reason");
    private final ArrayList<String> log = new ArrayList<>();

    private void sendsAndWaitsTwice(Channel<Integer> channel) {
        channel.send(1);
        log.add("sent");
        assertThatThrownBy(Async::suspend).isInstanceOf(AsyncCancellation.class);
        log.add("thrown");
        suspend();
        delay(1);
        log.add("once");
    }

    @Test
    void cancellation_isDueAtTheNextWait() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<?> sender = spawn(() -> sendsAndWaitsTwice(channel));
            suspend();
            assertThat(channel.receive()).isEqualTo(1);
            sender.cancel(reason);
            await(sender);
        });
        assertThat(log).containsExactly("sent", "thrown", "once");
    }

    @Test
    void limitOfTheSection_isDueAtTheNextWaitInIt() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<?> sender = spawn(() -> withTimeout(Duration.ofMillis(50), () -> sendsAndWaitsTwice(channel)));
            // in the same round of timers, before that of the limit, which is set later
            TimerEvent before = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(50));
            before.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                    log.add("received " + channel.tryReceive().value());
                }
            });
            before.start();
            await(sender);
            assertThat(sender.isCancellationRequested()).isFalse();
        });
        assertThat(log).containsExactly("received 1", "sent", "thrown", "once");
    }

    @Test
    void errorOfASwitchHandler_isDueAtTheNextWait() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<?> sender = spawn(() -> {
                protect(() -> {});
                SwitchHandlers.add(currentCoroutine(), (coroutine, entering, finishing) -> {
                    if (!entering) return true;
                    throw new IllegalStateException("handler");
                });
                channel.send(1);
                log.add("sent");
                assertThatThrownBy(Async::suspend).hasMessage("handler");
                log.add("thrown");
            });
            suspend();
            assertThat(channel.receive()).isEqualTo(1);
            await(sender);
        });
        assertThat(log).containsExactly("sent", "thrown");
    }

    /**
     * The limit of a section that has no other wait came too late: the section has ended, and nothing is due after it.
     */
    @Test
    void limitOfASectionThatHasNoOtherWait_isNotDueAfterIt() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<?> sender = spawn(() -> {
                withTimeout(Duration.ofMillis(50), () -> {
                    channel.send(1);
                    log.add("sent");
                });
                suspend();
                log.add("no more");
            });
            TimerEvent before = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(50));
            before.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                    log.add("received " + channel.tryReceive().value());
                }
            });
            before.start();
            await(sender);
        });
        assertThat(log).containsExactly("received 1", "sent", "no more");
    }
}
