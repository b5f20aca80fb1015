package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class ChannelFlowTest {
    /** Keeps what it gets, asks when it is told to. */
    private static final class Keeper<T> implements Flow.Subscriber<T> {
        final List<String> log = new ArrayList<>();
        Flow.@Nullable Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(T item) {
            log.add("next " + item);
        }

        @Override
        public void onError(Throwable error) {
            log.add("error " + error.getClass().getSimpleName());
        }

        @Override
        public void onComplete() {
            log.add("complete");
        }

        void request(long n) {
            if (subscription != null) subscription.request(n);
        }

        void cancel() {
            if (subscription != null) subscription.cancel();
        }
    }

    private static void turns() {
        for (int i = 0; i < 5; i++) suspend();
    }

    @Test
    @Tag("C13")
    void subscription_outlivesTheScopeThatSubscribed() {
        var keeper = new Keeper<Integer>();
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            var scope = new Scope();
            await(scope.spawn(() -> {
                channel.publisher().subscribe(keeper);
                turns();
            }));
            scope.cancel();
            keeper.request(1);
            channel.send(7);
            turns();
            channel.close();
            keeper.request(1);
        });
        assertThat(keeper.log).containsExactly("next 7", "complete");
    }

    @Test
    @Tag("C15")
    void subscribing_worksInAScopeThatHasEnded() {
        var keeper = new Keeper<Integer>();
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            var scope = new Scope();
            scope.spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    channel.publisher().subscribe(keeper);
                    turns();
                }
            });
            suspend();
            scope.cancel();
            turns();
            channel.close();
            turns();
            keeper.request(1);
        });
        assertThat(keeper.log).containsExactly("complete");
    }

    @Test
    void subscriber_getsNoMoreThanItAskedFor() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(10);
            for (int i = 0; i < 5; i++) channel.send(i);
            var keeper = new Keeper<Integer>();
            channel.publisher().subscribe(keeper);
            turns();
            assertThat(keeper.log).isEmpty();
            keeper.request(2);
            turns();
            assertThat(keeper.log).containsExactly("next 0", "next 1");
            assertThat(channel.size()).isEqualTo(3);
            keeper.request(Long.MAX_VALUE);
            channel.close();
            turns();
            assertThat(keeper.log).containsExactly("next 0", "next 1", "next 2", "next 3", "next 4", "complete");
        });
    }

    @Test
    void subscriberCancels_theRestIsLeftForOthers() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(10);
            var keeper = new Keeper<Integer>();
            channel.publisher().subscribe(keeper);
            turns();
            keeper.request(5);
            turns();
            channel.send(1);
            keeper.cancel();
            channel.send(2);
            delay(1);
            assertThat(keeper.log).isEqualTo(channel.size() == 2 ? List.of() : List.of("next 1"));
            assertThat(channel.size()).isGreaterThan(0);
            assertThat(channel.toString()).doesNotContain("receiver");
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    @Test
    @Tag("F51")
    void channelErrorOfTheSubscriberItself_isNotTheChannels() {
        var told = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            var channel = new Channel<Integer>(1);
            var other = new Channel<Integer>(1);
            other.close();
            channel.publisher().subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription given) {
                    given.request(1);
                }

                @Override
                public void onNext(Integer item) {
                    other.send(item);
                }

                @Override
                public void onError(Throwable error) {
                    told.add("error");
                }

                @Override
                public void onComplete() {
                    told.add("complete");
                }
            });
            channel.send(1);
            delay(1_000);
        });
        assertThat(thrown).isInstanceOf(ChannelException.class);
        assertThat(told).isEmpty();
    }

    @Test
    void requestOfNothing_isAnError() {
        TestRuntime.run(() -> {
            var keeper = new Keeper<Integer>();
            new Channel<Integer>().publisher().subscribe(keeper);
            turns();
            keeper.request(0);
            delay(1);
            assertThat(keeper.log).containsExactly("error IllegalArgumentException");
        });
    }

    @Test
    @Tag("D18")
    void subscriberThatAskedForExactlyWhatThereWas_learnsOfTheEnd() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(4);
            var keeper = new Keeper<Integer>();
            channel.publisher().subscribe(keeper);
            turns();
            keeper.request(2);
            channel.send(1);
            channel.send(2);
            turns();
            channel.close();
            turns();
            assertThat(keeper.log).containsExactly("next 1", "next 2", "complete");
        });
    }

    @Test
    @Tag("D18")
    void subscriberThatAsksForNothing_learnsOfTheEndWhenOthersHaveTakenAll() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(4);
            var idle = new Keeper<Integer>();
            var busy = new Keeper<Integer>();
            channel.publisher().subscribe(idle);
            channel.publisher().subscribe(busy);
            turns();
            channel.send(1);
            channel.close();
            turns();
            assertThat(idle.log).isEmpty();
            busy.request(1);
            turns();
            assertThat(busy.log).containsExactly("next 1", "complete");
            assertThat(idle.log).containsExactly("complete");
        });
    }

    @Test
    @Tag("D18")
    void requestOfNothingWhileAValueIsAwaited_isAnErrorAtOnce() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(4);
            var keeper = new Keeper<Integer>();
            channel.publisher().subscribe(keeper);
            turns();
            keeper.request(1);
            turns();
            keeper.request(-1);
            turns();
            assertThat(keeper.log).containsExactly("error IllegalArgumentException");
            channel.send(1);
            turns();
            assertThat(keeper.log).hasSize(1);
            assertThat(channel.receive()).isEqualTo(1);
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    @Test
    void channelClosedForAnotherReason_isAnError() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Channel<Integer> channel = await(scope.spawn(() -> new Channel<>()));
            var keeper = new Keeper<Integer>();
            channel.publisher().subscribe(keeper);
            turns();
            keeper.request(1);
            turns();
            scope.cancel();
            delay(1);
            assertThat(keeper.log).containsExactly("error ChannelException");
        });
    }

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
}
