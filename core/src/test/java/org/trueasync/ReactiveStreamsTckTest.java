package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.reactivestreams.tck.flow.FlowSubscriberWhiteboxVerification;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;
import org.trueasync.internal.testkit.VirtualReactor;

/**
 * The verification kit of Reactive Streams against the publishers of channels and the subscribers that feed them. Its
 * methods are written for another test framework; here each is a dynamic test. None fails, and none is skipped that is
 * not listed with the reason.
 */
@Tag("D18")
class ReactiveStreamsTckTest {
    /** Long, for busy machines: what passes does not wait for it. */
    private static final long SIGNAL_MILLIS = 30_000;
    /** How long silence is listened to. */
    private static final long SILENCE_MILLIS = 50;
    /** How often the kit looks whether what it waits for has come. */
    private static final long POLL_MILLIS = 10;

    private static final String NOT_A_RULE = "the rule can't be checked by a program; the kit has a placeholder";
    private static final String SHARED =
            "subscribers of a channel share its values, so no two get the same ones; the rule is optional";

    /** What the kit skips, and why. */
    private static final Map<String, String> SKIPPED_OF_THE_PUBLISHER = Map.ofEntries(
            Map.entry(
                    "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingOneByOne",
                    SHARED),
            Map.entry(
                    "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfront",
                    SHARED),
            Map.entry(
                    "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfrontAndCompleteAsExpected",
                    SHARED));

    private static final Map<String, String> SKIPPED_OF_SUBSCRIBERS = Map.of();

    private static final CompletableFuture<Executor> LOOP = new CompletableFuture<>();
    private static final CompletableFuture<Object> STOP = new CompletableFuture<>();
    private static @Nullable Thread runner;

    @BeforeAll
    static void runALoop() {
        runner = Thread.ofPlatform().daemon().start(() -> Async.runtime()
                .name("tck")
                .reactor(VirtualReactor::new)
                .build()
                .run(() -> {
                    LOOP.complete(Async.executor());
                    Async.await(STOP);
                    Async.gracefulShutdown();
                    return null;
                }));
    }

    @AfterAll
    static void endIt() throws InterruptedException {
        STOP.complete("over");
        if (runner != null) runner.join(10_000);
    }

    private static <T> T onLoop(Callable<T> task) {
        try {
            var done = new CompletableFuture<T>();
            LOOP.get(10, TimeUnit.SECONDS).execute(() -> {
                try {
                    done.complete(task.call());
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
            });
            return done.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    // ---- what is verified

    private static TestEnvironment environment() {
        return new TestEnvironment(SIGNAL_MILLIS, SILENCE_MILLIS, POLL_MILLIS);
    }

    static final class OfAChannel extends FlowPublisherVerification<Integer> {
        OfAChannel() {
            super(environment(), 1_000);
        }

        /** The kit collects once, and looks a tenth of a second later. On a busy machine that can be too soon. */
        @Override
        @Test
        public void required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber()
                throws Throwable {
            for (int attempt = 1; ; attempt++) {
                try {
                    super.required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber();
                    return;
                } catch (AssertionError e) {
                    if (attempt == 5) throw e;
                }
            }
        }

        @Override
        public Flow.Publisher<Integer> createFlowPublisher(long elements) {
            return onLoop(() -> {
                var channel = new Channel<Integer>(4);
                Async.spawn(() -> {
                    for (long i = 0; i < elements; i++) channel.send((int) i);
                    channel.close();
                });
                return channel.publisher();
            });
        }

        @Override
        public Flow.Publisher<Integer> createFailedFlowPublisher() {
            return onLoop(() -> {
                var scope = new Scope();
                Channel<Integer> channel = Async.await(scope.spawn(() -> new Channel<>(1)));
                scope.cancel();
                return channel.publisher();
            });
        }
    }

    /** The subscriber that feeds a channel, from which somebody receives. */
    private static Flow.Subscriber<Integer> feed() {
        return onLoop(() -> {
            var subscribed = new CompletableFuture<Flow.Subscriber<? super Integer>>();
            Flow.Publisher<Integer> source = subscribed::complete;
            Channel<Integer> channel = Channel.from(source, 4);
            Async.spawn(() -> {
                try {
                    for (int value : channel) if (value < 0) throw new AssertionError(value);
                } catch (ChannelException e) {
                    // the kit has the publisher fail
                }
            });
            @SuppressWarnings("unchecked")
            var subscriber = (Flow.Subscriber<Integer>) subscribed.join();
            return subscriber;
        });
    }

    static final class FeedFromOutside extends FlowSubscriberBlackboxVerification<Integer> {
        FeedFromOutside() {
            super(environment());
        }

        @Override
        public Flow.Subscriber<Integer> createFlowSubscriber() {
            return feed();
        }

        @Override
        public Integer createElement(int element) {
            return element;
        }
    }

    static final class FeedWithAProbe extends FlowSubscriberWhiteboxVerification<Integer> {
        FeedWithAProbe() {
            super(environment());
        }

        @Override
        protected Flow.Subscriber<Integer> createFlowSubscriber(WhiteboxSubscriberProbe<Integer> probe) {
            return new Probed(feed(), probe);
        }

        @Override
        public Integer createElement(int element) {
            return element;
        }
    }

    /** Tells the kit what a subscriber gets, and asks and cancels in its place when the kit says so. */
    private record Probed(
            Flow.Subscriber<Integer> real, FlowSubscriberWhiteboxVerification.WhiteboxSubscriberProbe<Integer> probe)
            implements Flow.Subscriber<Integer> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            real.onSubscribe(subscription);
            probe.registerOnSubscribe(new FlowSubscriberWhiteboxVerification.SubscriberPuppet() {
                @Override
                public void triggerRequest(long elements) {
                    subscription.request(elements);
                }

                @Override
                public void signalCancel() {
                    subscription.cancel();
                }
            });
        }

        @Override
        public void onNext(Integer item) {
            real.onNext(item);
            probe.registerOnNext(item);
        }

        @Override
        public void onError(Throwable error) {
            real.onError(error);
            probe.registerOnError(error);
        }

        @Override
        public void onComplete() {
            real.onComplete();
            probe.registerOnComplete();
        }
    }

    @TestFactory
    Stream<DynamicTest> publisherOfAChannel() {
        return tests(OfAChannel::new, SKIPPED_OF_THE_PUBLISHER);
    }

    @TestFactory
    Stream<DynamicTest> subscriberThatFeedsAChannel() {
        return tests(FeedFromOutside::new, SKIPPED_OF_SUBSCRIBERS);
    }

    @TestFactory
    Stream<DynamicTest> subscriberThatFeedsAChannel_seenFromInside() {
        return tests(FeedWithAProbe::new, SKIPPED_OF_SUBSCRIBERS);
    }

    // ---- the kit's methods as tests

    private static Stream<DynamicTest> tests(Supplier<?> kit, Map<String, String> skipped) {
        return Arrays.stream(kit.get().getClass().getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> perform(kit.get(), method, skipped)));
    }

    private static void perform(Object kit, Method method, Map<String, String> skipped) throws Throwable {
        callAll(kit, BeforeClass.class);
        callAll(kit, BeforeMethod.class);
        try {
            method.invoke(kit);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof SkipException skip)) throw e.getCause();
            String reason = method.getName().startsWith("untested_") ? NOT_A_RULE : skipped.get(method.getName());
            assertThat(reason).as("why the kit may skip this, %s", skip).isNotNull();
            throw new TestAbortedException(reason);
        } finally {
            callAll(kit, AfterClass.class);
        }
    }

    private static void callAll(Object kit, Class<? extends Annotation> annotation)
            throws ReflectiveOperationException {
        for (Method method : kit.getClass().getMethods())
            if (method.isAnnotationPresent(annotation)) method.invoke(kit);
    }
}
