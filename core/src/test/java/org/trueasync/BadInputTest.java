package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.BadInput;
import org.trueasync.internal.testkit.PublicTypes;

/** Whatever is no good is refused at once, by a message that names it. */
class BadInputTest {
    @Test
    void everyPublicMethod_refusesWhatIsNoGood() throws Exception {
        var check = new BadInput()
                .sample(Completable.class, () -> Async.spawn(() -> 1))
                .sample(Awaitable.class, () -> Async.spawn(() -> 1))
                .sample(Coroutine.class, () -> Async.spawn(() -> 1))
                .sample(Future.class, () -> Future.completed(1))
                .sample(Iterable.class, () -> List.of(Async.spawn(() -> 1)))
                .sample(Map.class, () -> Map.of("a", Async.spawn(() -> 1)))
                .sample(Executor.class, () -> (Executor) Runnable::run)
                .sample(CompletableFuture.class, () -> CompletableFuture.completedFuture(1))
                .sample(AsyncRuntime.Builder.class, Async::runtime)
                .sample(AsyncRuntime.class, () -> Async.runtime().build())
                .sample(Barrier.class, () -> new Barrier(2))
                .sample(Channel.Builder.class, Channel::builder)
                .sample(Context.class, Async::coroutineContext)
                .sample(CpuSnapshot.class, CpuSnapshot::now)
                .sample(GuardedCalls.class, () -> new GuardedCalls("calls", RecoveryStrategy.consecutiveFailures(3)))
                .sample(Latch.class, () -> new Latch(1))
                .sample(PerCore.class, () -> PerCore.of(() -> 1))
                .sample(Pool.Builder.class, () -> Pool.of(Object::new))
                .sample(Pool.class, () -> Pool.of(Object::new).build())
                .sample(Received.class, () -> {
                    var channel = new Channel<Integer>(1);
                    channel.send(1);
                    return channel.tryReceive();
                })
                .sample(RecoveryStrategy.class, () -> RecoveryStrategy.consecutiveFailures(3))
                .sample(RemoteFuture.class, () -> new FutureState<>().handOver())
                .sample(Select.class, Select::of)
                .sample(Semaphore.class, () -> new Semaphore(1))
                .sample(Throwable.class, () -> new IllegalStateException("a sample"));
        // those start threads, which virtual time does not know
        List<Class<?>> types = PublicTypes.of(Async.class, "org/trueasync").stream()
                .filter(type -> !type.getName().matches(".*\\.(ThreadPool|Cores)\\b.*"))
                .toList();
        // called by the runtime alone; needs several cores
        check.exempt(
                "RecoveryStrategy.admitsTrial",
                "RecoveryStrategy.reportFailure",
                "RecoveryStrategy.reportSuccess",
                "RecoveryStrategy.reportUnreachable",
                "RecoveryStrategy.retryIn",
                "RecoveryStrategy.stateChanged",
                "PerCore.reduce");
        List<String> complaints = check.check(types);
        assertThat(check.calls()).isGreaterThan(500);
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }
}
