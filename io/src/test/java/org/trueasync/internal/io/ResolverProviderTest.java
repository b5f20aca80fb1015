package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

/** The detour around the JDK's resolver, with a resolver that answers when the test says so. */
@Tag("E43")
class ResolverProviderTest {
    private static final InetAddressResolver.LookupPolicy ANY =
            InetAddressResolver.LookupPolicy.of(InetAddressResolver.LookupPolicy.IPV4);

    private static final class Slow implements InetAddressResolver {
        private final Semaphore answers = new Semaphore(0);
        private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            // The work is done where the stream is read.
            return Stream.of(host).map(this::answer);
        }

        private InetAddress answer(String host) {
            threads.add(Thread.currentThread());
            answers.acquireUninterruptibly();
            return InetAddress.ofLiteral("10.0.0.1");
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            threads.add(Thread.currentThread());
            answers.acquireUninterruptibly();
            throw new UnknownHostException("nobody");
        }
    }

    private final Slow slow = new Slow();
    private final ResolverProvider.Detour detour = new ResolverProvider.Detour(slow);

    private List<InetAddress> lookUp() throws UnknownHostException {
        return detour.lookupByName("slow.test", ANY).toList();
    }

    @Test
    void coroutineThatLooksUp_isTheOnlyOneThatWaits() {
        TestRuntime.run(() -> {
            Coroutine<List<InetAddress>> waiter = spawn(this::lookUp);
            for (int i = 0; i < 5; i++) suspend();
            assertThat(waiter.awaitingInfo()).containsExactly("look-up of host slow.test");
            slow.answers.release();
            assertThat(await(waiter)).containsExactly(InetAddress.ofLiteral("10.0.0.1"));
            assertThat(slow.threads.getFirst().isVirtual()).isFalse();
        });
    }

    @Test
    void addressWithoutAName_isTheCallersErrorWithTheCallersStack() {
        TestRuntime.run(() -> {
            slow.answers.release();
            assertThatThrownBy(() -> detour.lookupByAddress(new byte[] {10, 0, 0, 1}))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessage("nobody")
                    .hasCauseInstanceOf(UnknownHostException.class)
                    .satisfies(e -> assertThat(e.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(ResolverProviderTest.class.getName())));
        });
    }

    @Test
    @Tag("F35")
    void cancelled_leavesAtOnceWithTheCancellation() {
        TestRuntime.run(() -> {
            Coroutine<List<InetAddress>> waiter = spawn(this::lookUp);
            suspend();
            waiter.cancel();
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(AsyncCancellation.class);
            slow.answers.release();
        });
    }

    @Test
    void otherThreads_lookUpThemselves() throws Exception {
        slow.answers.release();
        assertThat(lookUp()).hasSize(1);
        assertThat(slow.threads).containsExactly(Thread.currentThread());
    }

    @Test
    @Tag("E42")
    void lookUpByTheJdk_holdsOnlyItsCoroutine() {
        TestRuntime.run(() -> {
            Coroutine<InetAddress> waiter = spawn(() -> InetAddress.getByName("one.slow.test"));
            Coroutine<InetAddress> second = spawn(() -> InetAddress.getByName("one.slow.test"));
            for (int i = 0; i < 10; i++) suspend();
            assertThat(waiter.isSuspended()).isTrue();
            SlowNames.ANSWERS.release();
            assertThat(await(waiter).getHostAddress()).isEqualTo("10.1.2.3");
            assertThat(await(second)).isEqualTo(await(waiter));
            SlowNames.ANSWERS.release(2); // the JDK looks up the name that it got
            assertThat(InetAddress.getByAddress(new byte[] {10, 1, 2, 3}).getCanonicalHostName())
                    .isEqualTo("some.slow.test");
        });
    }

    @Test
    @Tag("F35")
    void cancelledLookUpByTheJdk_leavesNoWrongAnswerBehind() {
        TestRuntime.run(() -> {
            Coroutine<InetAddress> waiter = spawn(() -> InetAddress.getByName("two.slow.test"));
            for (int i = 0; i < 5; i++) suspend();
            waiter.cancel();
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(AsyncCancellation.class);
            SlowNames.ANSWERS.release(2);
            assertThat(InetAddress.getByName("two.slow.test").getHostAddress()).isEqualTo("10.1.2.3");
        });
    }

    private static final class LooksUpWhenInitialised {
        static final String ADDRESS = lookUp();

        private static String lookUp() {
            try {
                return InetAddress.getByName("three.slow.test").getHostAddress();
            } catch (UnknownHostException e) {
                return e.toString();
            }
        }
    }

    @Test
    @Tag("F80")
    void lookUpInAClassInitialiser_isServedThere() {
        SlowNames.ANSWERS.release(2);
        TestRuntime.run(() -> assertThat(LooksUpWhenInitialised.ADDRESS).isEqualTo("10.1.2.3"));
        SlowNames.ANSWERS.drainPermits();
    }

    @Test
    void namesOfTheJdk_areFoundInACoroutine() {
        TestRuntime.run(() -> {
            assertThat(InetAddress.getByName("localhost").isLoopbackAddress()).isTrue();
            assertThat(InetAddress.getAllByName("localhost")).isNotEmpty();
            assertThat(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).getHostName())
                    .isNotEmpty();
            assertThatThrownBy(() -> InetAddress.getByName("no-such-host.invalid"))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessageContaining("no-such-host.invalid");
        });
    }
}
