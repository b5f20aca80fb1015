package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** A channel as a publisher: what its subscribers are given, and when. */
class ChannelPublisherTest {
    /** Keeps what it gets, asks when it is told to. */
    private static class Keeper<T> implements Flow.Subscriber<T> {
        final List<String> log = new ArrayList<>();
        Flow.@Nullable Subscription subscription;

        /** One that has subscribed to it. */
        static <T> Keeper<T> of(Channel<T> channel) {
            var keeper = new Keeper<T>();
            channel.publisher().subscribe(keeper);
            turns();
            return keeper;
        }

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
            var keeper = Keeper.of(channel);
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
            var keeper = Keeper.of(channel);
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
            var keeper = Keeper.of(new Channel<Integer>());
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
            var keeper = Keeper.of(channel);
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
            var keeper = Keeper.of(channel);
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
            var keeper = Keeper.of(channel);
            keeper.request(1);
            turns();
            scope.cancel();
            delay(1);
            assertThat(keeper.log).containsExactly("error ChannelException");
        });
    }

    @Test
    void requestsBeyondCounting_areWithoutLimit() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(10);
            var keeper = Keeper.of(channel);
            keeper.request(Long.MAX_VALUE);
            keeper.request(Long.MAX_VALUE);
            turns();
            for (int i = 0; i < 3; i++) channel.send(i);
            channel.close();
            turns();
            assertThat(keeper.log).containsExactly("next 0", "next 1", "next 2", "complete");
        });
    }

    @Test
    void subscriberThatAsksForNothing_holdsUpNoDeadlockCheckAndLeavesWhenItCancels() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            var keeper = Keeper.of(channel);
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            keeper.cancel();
            turns();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
            channel.send(1);
            assertThat(keeper.log).isEmpty();
            assertThat(channel.receive()).isEqualTo(1);
        });
    }

    @Test
    void nullInTheChannel_isAnErrorThatNamesIt() {
        TestRuntime.run(() -> {
            var channel = new Channel<@Nullable Integer>(2);
            var keeper = Keeper.of(channel);
            keeper.request(5);
            channel.send(null);
            channel.send(1);
            turns();
            assertThat(keeper.log).containsExactly("error NullPointerException");
            assertThat(channel.receive()).isEqualTo(1);
        });
    }

    /** Waits in its own code, after it has called the subscription. */
    private static final class Waiting implements Flow.Subscriber<Integer> {
        final List<String> log = new ArrayList<>();
        private final Consumer<Flow.Subscription> call;
        private Flow.@Nullable Subscription subscription;

        Waiting(Consumer<Flow.Subscription> call) {
            this.call = call;
        }

        private void wait(String what) {
            log.add(what);
            if (subscription != null) call.accept(subscription);
            try {
                delay(10);
            } catch (AsyncCancellation e) {
                log.add("cancelled");
                throw e;
            }
            log.add("over");
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(1);
        }

        @Override
        public void onNext(Integer item) {
            wait("next " + item);
        }

        @Override
        public void onError(Throwable error) {
            wait("error " + error.getClass().getSimpleName());
        }

        @Override
        public void onComplete() {
            wait("complete");
        }
    }

    @Test
    void subscriberCancelsAndGoesOnWaiting_itsCodeIsNotCancelled() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            var waiting = new Waiting(Flow.Subscription::cancel);
            channel.publisher().subscribe(waiting);
            channel.send(1);
            channel.send(2);
            delay(100);
            assertThat(waiting.log).containsExactly("next 1", "over");
            assertThat(channel.receive()).isEqualTo(2);
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    @Test
    void subscriberAsksForNothingInItsOwnCode_learnsOfItAfterwards() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            var waiting = new Waiting(subscription -> subscription.request(0));
            channel.publisher().subscribe(waiting);
            channel.send(1);
            delay(100);
            assertThat(waiting.log).containsExactly("next 1", "over", "error IllegalArgumentException", "over");
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    @Test
    void lastCallOfASubscriber_mayWaitThoughItCancelsOrAsksForNothing() {
        for (boolean cancels : new boolean[] {true, false})
            for (CloseReason why : new CloseReason[] {CloseReason.EXPLICIT, CloseReason.SCOPE_DISPOSED})
                TestRuntime.run(() -> {
                    var scope = new Scope();
                    Channel<Integer> channel = await(scope.spawn(() -> new Channel<>()));
                    var waiting = new Waiting(subscription -> {
                        if (cancels) subscription.cancel();
                        else subscription.request(0);
                    });
                    channel.publisher().subscribe(waiting);
                    turns();
                    if (why == CloseReason.EXPLICIT) channel.close();
                    else scope.cancel();
                    delay(100);
                    String last = why == CloseReason.EXPLICIT ? "complete" : "error ChannelException";
                    assertThat(waiting.log).containsExactly(last, "over");
                    assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
                });
    }

    @Test
    void subscriberCancelledBeforeTheChannelEnds_hearsNothing() {
        for (boolean asks : new boolean[] {true, false})
            TestRuntime.run(() -> {
                var scope = new Scope();
                Channel<Integer> channel = await(scope.spawn(() -> new Channel<>()));
                var keeper = Keeper.of(channel);
                if (asks) keeper.request(1);
                turns();
                keeper.cancel();
                scope.cancel();
                delay(1);
                assertThat(keeper.log).isEmpty();
            });
    }

    @Test
    void shutdownWhileASubscriberWaits_itIsTold() {
        var keeper = new Keeper<Integer>();
        TestRuntime.run(() -> {
            new Channel<Integer>().publisher().subscribe(keeper);
            turns();
            keeper.request(1);
            turns();
            Async.gracefulShutdown();
        });
        assertThat(keeper.log).containsExactly("error AsyncCancellation");
    }

    @Test
    void subscribedAfterTheRun_isRefusedWithASubscription() throws Exception {
        var kept = new ArrayList<Flow.Publisher<Integer>>();
        TestRuntime.run(() -> {
            kept.add(new Channel<Integer>().publisher());
        });
        var given = new CompletableFuture<Flow.Subscription>();
        var refused = new CompletableFuture<Throwable>();
        kept.getFirst().subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                given.complete(subscription);
            }

            @Override
            public void onNext(Integer item) {}

            @Override
            public void onError(Throwable error) {
                refused.complete(given.isDone() ? error : new AssertionError("without a subscription", error));
            }

            @Override
            public void onComplete() {}
        });
        assertThat(refused.get(10, TimeUnit.SECONDS))
                .isInstanceOf(AsyncException.class)
                .hasMessage("the runtime of the channel has ended");
    }

    @Test
    @Tag("K37")
    void waitThatTheSubscriberPreparedAndNeverBegan_isGoneWhenTheSubscriptionWaits() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            var keeper = new Keeper<Integer>() {
                @Override
                public void onSubscribe(Flow.Subscription given) {
                    super.onSubscribe(given);
                    Waker.current().resumeWhen(event, ResumeCallback.RESOLVE);
                }
            };
            new Channel<Integer>().publisher().subscribe(keeper);
            turns();
            assertThat(event.hasCallbacks()).isFalse();
            keeper.cancel();
        });
    }
}
