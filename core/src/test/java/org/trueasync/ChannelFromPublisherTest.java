package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

/** A channel that a publisher feeds: what it asks for, and how either of them ends. */
class ChannelFromPublisherTest {
    /** Publishes what a test tells it to. */
    private static final class Hand implements Flow.Publisher<Integer>, Flow.Subscription {
        final List<Long> requests = new ArrayList<>();
        boolean cancelled;
        Flow.@Nullable Subscriber<? super Integer> subscriber;

        @Override
        public void subscribe(Flow.Subscriber<? super Integer> given) {
            subscriber = given;
            given.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            requests.add(n);
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        Flow.Subscriber<? super Integer> subscriber() {
            if (subscriber == null) throw new AssertionError("nobody has subscribed");
            return subscriber;
        }
    }

    @Test
    void publisher_isAskedForAsMuchAsThereIsRoom() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 4);
            delay(1);
            assertThat(hand.requests).containsExactly(4L);
            for (int i = 0; i < 4; i++) hand.subscriber().onNext(i);
            delay(1);
            assertThat(channel.size()).isEqualTo(4);
            assertThat(channel.receive()).isZero();
            delay(1);
            assertThat(hand.requests).containsExactly(4L);
            assertThat(channel.receive()).isEqualTo(1);
            delay(1);
            assertThat(hand.requests).containsExactly(4L, 2L);
            hand.subscriber().onNext(4);
            hand.subscriber().onComplete();
            var rest = new ArrayList<Integer>();
            for (int value : channel) rest.add(value);
            assertThat(rest).containsExactly(2, 3, 4);
            assertThat(hand.cancelled).isFalse();
        });
    }

    @Test
    void capacityOne_asksAgainAfterEachValue() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 1);
            for (int i = 0; i < 3; i++) {
                Coroutine<Integer> receiver = spawn(() -> channel.receive());
                delay(1);
                hand.subscriber().onNext(i);
                assertThat(await(receiver)).isEqualTo(i);
                delay(1);
                assertThat(hand.requests).hasSize(i + 2).containsOnly(1L);
            }
        });
    }

    @Test
    void publisherFails_theChannelIsClosedWithItsError() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 2);
            delay(1);
            hand.subscriber().onNext(1);
            hand.subscriber().onError(new IllegalStateException("planned"));
            delay(1);
            assertThat(channel.receive()).isEqualTo(1);
            assertThatThrownBy(channel::receive)
                    .isInstanceOf(ChannelException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void channelClosed_cancelsTheSubscription() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 2);
            delay(1);
            channel.close();
            delay(1);
            assertThat(hand.cancelled).isTrue();
        });
    }

    @Test
    @Tag("D18")
    void runEndsWithTheChannelOpen_theSubscriptionIsCancelled() {
        var hand = new Hand();
        TestRuntime.run(() -> {
            Channel.from(hand, 2);
            delay(1);
            assertThat(hand.cancelled).isFalse();
        });
        assertThat(hand.cancelled).isTrue();
    }

    @Test
    @Tag("D18")
    void runFailsWithTheChannelOpen_theSubscriptionIsCancelled() {
        var hand = new Hand();
        TestRuntime.failureOf(() -> {
            Channel.from(hand, 2);
            delay(1);
            throw new IllegalStateException("planned");
        });
        assertThat(hand.cancelled).isTrue();
    }

    @Test
    @Tag("D18")
    void runEndsWhileTheProducerWaitsForRoom_theProducerGoesOn() {
        var submitted = new CompletableFuture<Integer>();
        try (var publisher = new SubmissionPublisher<Integer>(Thread::startVirtualThread, 4)) {
            TestRuntime.run(() -> {
                Channel<Integer> channel = Channel.from(publisher, 4);
                Thread.ofPlatform().daemon().start(() -> {
                    for (int i = 1; i <= 100; i++) publisher.submit(i);
                    submitted.complete(100);
                });
                assertThat(channel.receive()).isEqualTo(1);
            });
            assertThat(submitted.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(100);
        }
    }

    @Test
    void publisherThatGivesMoreThanItWasAskedFor_isCancelled() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 1);
            delay(1);
            hand.subscriber().onNext(1);
            hand.subscriber().onNext(2);
            delay(1);
            assertThat(channel.receive()).isEqualTo(1);
            assertThatThrownBy(channel::receive)
                    .hasRootCauseMessage("the publisher has published more than it was asked for");
            assertThat(hand.cancelled).isTrue();
        });
    }

    @Test
    void publisherOnOtherThreads_isNoDeadlockAndKeepsTheOrder() {
        TestRuntime.run(() -> {
            try (var publisher = new SubmissionPublisher<Integer>()) {
                Channel<Integer> channel = Channel.from(publisher, 8);
                CompletableFuture<?> submitting = CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 1_000; i++) publisher.submit(i);
                    publisher.close();
                });
                int expected = 0;
                for (int value : channel) assertThat(value).isEqualTo(expected++);
                assertThat(expected).isEqualTo(1_000);
                await(submitting);
            }
        });
    }

    @Test
    void thereAndBack_keepsTheOrder() {
        TestRuntime.run(() -> {
            var source = new Channel<Integer>(3);
            Channel<Integer> sink = Channel.from(source.publisher(), 5);
            spawn(() -> {
                for (int i = 0; i < 200; i++) source.send(i);
                source.close();
            });
            int expected = 0;
            for (int value : sink) assertThat(value).isEqualTo(expected++);
            assertThat(expected).isEqualTo(200);
        });
    }

    @Test
    void capacityOfNothing_isRefused() {
        TestRuntime.run(() -> assertThatThrownBy(() -> Channel.from(new Hand(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(">= 1, got 0"));
    }

    @Test
    void secondSubscription_isCancelledAndTheFirstGoesOn() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 2);
            delay(1);
            var second = new Hand();
            hand.subscriber().onSubscribe(second);
            delay(1);
            assertThat(second.cancelled).isTrue();
            assertThat(second.requests).isEmpty();
            assertThat(hand.cancelled).isFalse();
            hand.subscriber().onNext(1);
            assertThat(channel.receive()).isEqualTo(1);
        });
    }

    @Test
    void subscriptionThatComesAfterTheEnd_isCancelled() {
        TestRuntime.run(() -> {
            var late = new Hand();
            var subscribers = new ArrayList<Flow.Subscriber<? super Integer>>();
            Channel<Integer> channel = Channel.from(subscribers::add, 2);
            channel.close();
            subscribers.getFirst().onSubscribe(late);
            delay(1);
            assertThat(late.cancelled).isTrue();
            assertThat(late.requests).isEmpty();
        });
    }

    /** Tells of each time that it is cancelled, on whatever thread. */
    private static final class Told implements Flow.Subscription {
        final Semaphore cancelled = new Semaphore(0);

        @Override
        public void request(long n) {}

        @Override
        public void cancel() {
            cancelled.release();
        }
    }

    @Test
    @Tag("D18")
    void signalsAfterTheRun_cancelTheSubscription() throws Exception {
        var subscribers = new ArrayList<Flow.Subscriber<? super Integer>>();
        var early = new Told();
        TestRuntime.run(() -> {
            Channel.from(subscribers::add, 2);
            Channel.from(subscribers::add, 2);
            subscribers.get(1).onSubscribe(early);
            delay(1);
        });
        assertThat(early.cancelled.drainPermits()).isEqualTo(1);
        var late = new Told();
        subscribers.get(0).onSubscribe(late);
        assertThat(late.cancelled.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        subscribers.get(1).onNext(1);
        assertThat(early.cancelled.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void publisherThatHasEnded_isNotCancelled() {
        var hands = List.of(new Hand(), new Hand());
        TestRuntime.run(() -> {
            for (Hand hand : hands) Channel.from(hand, 2);
            delay(1);
            hands.get(0).subscriber().onComplete();
            hands.get(1).subscriber().onError(new IllegalStateException("planned"));
            delay(1);
        });
        assertThat(hands).noneMatch(hand -> hand.cancelled);
    }

    @Test
    @Tag("D18")
    void whileSomebodyReceives_thePublisherCountsAsSomethingThatCanHappen() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 1);
            delay(1);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            Coroutine<Integer> first = spawn(() -> channel.receive());
            Coroutine<Integer> second = spawn(() -> channel.receive());
            suspend();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            first.cancel();
            suspend();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            hand.subscriber().onNext(1);
            assertThat(await(second)).isEqualTo(1);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    void sendersOfAFedChannel_doNotCountAsThePublisher() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 1);
            delay(1);
            channel.send(1);
            Coroutine<?> sender = spawn(() -> channel.send(2));
            suspend();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(channel.receive()).isEqualTo(1);
            await(sender);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    void publisherEndsWhileSomebodyReceives_itCountsNoMore() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 1);
            Coroutine<?> receiver = spawn(() -> channel.receive());
            delay(1);
            hand.subscriber().onError(new IllegalStateException("planned"));
            assertThatThrownBy(() -> await(receiver)).isInstanceOf(ChannelException.class);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    void itemAfterTheClose_isDropped() {
        TestRuntime.run(() -> {
            var hand = new Hand();
            Channel<Integer> channel = Channel.from(hand, 2);
            delay(1);
            channel.close();
            hand.subscriber().onNext(1);
            delay(1);
            assertThat(channel.isEmpty()).isTrue();
            assertThatThrownBy(channel::receive).isInstanceOf(ChannelException.class);
        });
    }

    @Test
    @Tag("D18")
    void runEndsWithTheChannelOpen_itIsClosed() {
        var hand = new Hand();
        var channels = new ArrayList<Channel<Integer>>();
        TestRuntime.run(() -> {
            channels.add(Channel.from(hand, 2));
            delay(1);
        });
        assertThat(channels.getFirst().isClosed()).isTrue();
    }

    @Test
    @Tag("D18")
    void publisherThatHasEnded_isNotKeptByTheRun() {
        TestRuntime.run(() -> {
            WeakReference<?> gone = feedOfAPublisherThatHasEnded();
            for (int i = 0; i < 100 && gone.get() != null; i++) {
                Garbage.collect();
                delay(1);
            }
            assertThat(gone.get()).isNull();
        });
    }

    private static WeakReference<?> feedOfAPublisherThatHasEnded() {
        var hand = new Hand();
        Channel.from(hand, 2);
        delay(1);
        hand.subscriber().onComplete();
        delay(1);
        return new WeakReference<>(hand.subscriber());
    }
}
