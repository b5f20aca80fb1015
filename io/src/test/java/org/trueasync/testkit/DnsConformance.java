package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.DnsException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.Dns;
import org.trueasync.io.IoEvents;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SourceEvent;
import org.trueasync.spi.Waker;

/** Names and addresses, on whatever reactor; without a network. */
@Tag("E43")
public abstract class DnsConformance {
    private final ReactorKit kit;
    private final TestRun run;

    protected DnsConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    private void run(Body body) {
        run.run(() -> {
            body.run();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        assertThat(run.complaints()).isEmpty();
    }

    @Test
    void names_areLookedUpWhileOthersRun() {
        run(() -> {
            Coroutine<List<InetAddress>> one = Async.spawn(() -> Dns.resolve("localhost"));
            Async.suspend();
            // unless the answer was quicker
            if (one.isSuspended() && !one.isQueued()) {
                assertThat(one.awaitingInfo()).containsExactly("look-up of host localhost");
                assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            }
            assertThat(Async.await(one)).isNotEmpty().allMatch(InetAddress::isLoopbackAddress);
        });
    }

    @Test
    void literals_needNoLookUp() {
        run(() -> {
            assertThat(Dns.resolve("127.0.0.1")).containsExactly(InetAddress.ofLiteral("127.0.0.1"));
            assertThat(Dns.resolve("::1")).containsExactly(InetAddress.ofLiteral("::1"));
        });
    }

    @Test
    void unknownAndMalformedNames_areDnsErrorsThatNameThem() {
        run(() -> {
            for (String host :
                    List.of("no-such-host.invalid", "", "  ", "a b", "x\0y", "-", "256.256.256.256", "[::1")) {
                assertThatThrownBy(() -> Dns.resolve(host))
                        .as(host)
                        .isInstanceOf(DnsException.class)
                        .hasMessageContaining("'" + host.replace("\0", "\\0") + "'");
            }
            assertThatThrownBy(() -> Dns.resolve("x".repeat(10_000) + ".invalid"))
                    .isInstanceOf(DnsException.class)
                    .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(300));
        });
    }

    @Test
    void reverse_givesTheNameOfAnAddress() {
        run(() -> {
            assertThat(Dns.reverse(InetAddress.ofLiteral("127.0.0.1"))).contains("localhost");
            // for documentation only: nobody has it
            assertThatThrownBy(() -> Dns.reverse(InetAddress.ofLiteral("192.0.2.1"), Async.timeout(10_000)))
                    .satisfiesAnyOf(
                            e -> assertThat(e).isInstanceOf(DnsException.class).hasMessageContaining("192.0.2.1"),
                            e -> assertThat(e).isInstanceOf(OperationCanceledException.class));
        });
    }

    @Test
    @Tag("F35")
    void cancelled_leavesAtOnce() {
        run(() -> {
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String host = "no-such-host-" + i + ".invalid";
                all.add(Async.spawn(() -> Dns.resolve(host)));
            }
            Async.suspend();
            for (Coroutine<?> one : all) one.cancel();
            for (Coroutine<?> one : all)
                assertThatThrownBy(() -> Async.await(one)).isInstanceOfAny(AsyncCancellation.class, DnsException.class);
        });
    }

    @Test
    void tokenThatHasFired_nothingIsAsked() {
        kit.requireRealTime();
        run(() -> {
            Coroutine<?> over = Async.spawn(() -> {});
            Async.await(over);
            assertThatThrownBy(() -> Dns.resolve("localhost", over)).isInstanceOf(OperationCanceledException.class);
            assertThat(Dns.resolve("localhost", Async.timeout(3_600_000))).isNotEmpty();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("E1")
    @Tag("E7")
    void asEvents_areAwaitedMixedWithOthersAndKeepTheirOutcome() {
        run(() -> {
            SourceEvent found = IoEvents.dns("localhost");
            SourceEvent name = IoEvents.reverse(InetAddress.ofLiteral("127.0.0.1"));
            SourceEvent unknown = IoEvents.dns("no-such-host.invalid");
            assertThat(found.info()).isEqualTo("look-up of host localhost");
            for (int i = 0; i < 2; i++) {
                Waker waker = Waker.current();
                waker.resumeWhen(new TestEvent(), ResumeCallback.RESOLVE);
                waker.resumeWhen(found, ResumeCallback.RESOLVE);
                assertThat((List<?>) waker.await()).isNotEmpty();
                waker = Waker.current();
                waker.resumeWhen(name, ResumeCallback.RESOLVE);
                assertThat(waker.await()).asString().contains("localhost");
                assertThatThrownBy(() -> {
                            Waker again = Waker.current();
                            again.resumeWhen(unknown, ResumeCallback.RESOLVE);
                            again.await();
                        })
                        .isInstanceOf(DnsException.class);
            }
            assertThatThrownBy(() -> IoEvents.dns(" ")).isInstanceOf(DnsException.class);
        });
    }

    @Test
    void outsideOfARuntime_saysWhatIsNeeded() {
        assertThatThrownBy(() -> Dns.resolve("localhost"))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.run");
    }
}
