package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** A pool belongs to a loop: every other thread is refused at once, and the pool stays as it was. */
class PoolThreadsTest {
    static Stream<Named<BiConsumer<Pool<Object>, Object>>> calls() {
        return Stream.of(
                Named.of("acquire", (pool, lent) -> pool.acquire()),
                Named.of("acquire with a limit", (pool, lent) -> pool.acquire(Duration.ofMillis(1))),
                Named.of("tryAcquire", (pool, lent) -> pool.tryAcquire()),
                Named.of("release", (pool, lent) -> pool.release(lent)),
                Named.of("discard", (pool, lent) -> pool.discard(lent)),
                Named.of("deactivate", (pool, lent) -> pool.deactivate()),
                Named.of("retryIn", (pool, lent) -> pool.retryIn()),
                Named.of("onStateChange", (pool, lent) -> pool.onStateChange(state -> {})),
                Named.of("awaitAvailable", (pool, lent) -> pool.awaitAvailable()),
                Named.of("close", (pool, lent) -> pool.close()),
                Named.of("event", (pool, lent) -> pool.event().addCallback(new EventCallback() {
                    @Override
                    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {}
                })));
    }

    private static @Nullable Throwable thrownElsewhere(Runnable call) {
        return await(CompletableFuture.supplyAsync(() -> {
            try {
                call.run();
                return null;
            } catch (Throwable e) {
                return e;
            }
        }));
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Tag("K1")
    void poolOnAnotherThread_isRefused(BiConsumer<Pool<Object>, Object> call) {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new).name("here").min(2).build();
            Object lent = pool.acquire();
            assertThat(thrownElsewhere(() -> call.accept(pool, lent)))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageMatching("(Pool\\.\\w+|the event of a Pool) called on thread '.*loop 'test'.*");
            assertThat(pool).hasToString("Pool 'here' (max=10 active=1 idle=1 waiting=0)");
            pool.release(lent);
            assertThat(pool.stats()).isEqualTo(new PoolStats(2, 2, 0, 0, 1, 2, 0, 0));
            pool.close();
        });
    }
}
