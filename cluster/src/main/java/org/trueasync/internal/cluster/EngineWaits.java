package org.trueasync.internal.cluster;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.FutureState;
import org.trueasync.cluster.ClusterException;

/**
 * Waits for the engine's asynchronous calls. They complete on the engine's threads; only the calling coroutine waits, and goes on on its loop. Whoever gives up leaves
 * the call alone: it has its effect on the other member, or will have.
 */
public final class EngineWaits {
    private EngineWaits() {}

    /**
     * The value of a call of the engine's, or its error in our words.
     *
     * @param call begins it; what it throws counts too
     * @param token gives the wait up, null for none; one that has ended already refuses the call
     * @param what for messages: what is waited for
     */
    public static <T extends @Nullable Object> T await(
            Supplier<? extends CompletionStage<T>> call, @Nullable Completable<?> token, String what) {
        refuseIfSpent(token);
        try {
            CompletionStage<T> stage = onItsThread(call.get());
            return token == null ? Async.await(stage) : Async.await(stage, token);
        } catch (HazelcastException | IllegalStateException | CompletionException e) {
            throw inOurWords(e, what);
        }
    }

    /**
     * Throws what a wait with this token throws, if that has ended already.
     *
     * @param token null for none
     */
    public static void refuseIfSpent(@Nullable Completable<?> token) {
        if (token != null && token.isCompleted())
            Async.await(new FutureState<Boolean>().ignore().future(), token);
    }

    /**
     * The same, told on the thread that completes it. The engine's own stages begin a thread for each dependent where the JVM has one or two processors, and hand it to the common pool elsewhere,
     * unless they are told which executor it is; that costs many times what the call does.
     */
    private static <T extends @Nullable Object> CompletionStage<T> onItsThread(CompletionStage<T> stage) {
        var told = new CompletableFuture<T>();
        var _ = stage.whenCompleteAsync(
                (value, thrown) -> {
                    if (thrown == null) told.complete(value);
                    else told.completeExceptionally(thrown);
                },
                Runnable::run);
        return told;
    }

    /**
     * An error of the engine's as one of ours; errors of the program's own stay what they are.
     *
     * @param thrown by a call of the engine's
     * @param what was called
     */
    public static RuntimeException inOurWords(RuntimeException thrown, String what) {
        Throwable error =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (error instanceof HazelcastInstanceNotActiveException)
            return new ClusterException(what + ": this member has left its cluster", error);
        if (error instanceof OperationTimeoutException)
            return new ClusterException(
                    what + ": no answer in the engine's time; whether it was done is not known", error);
        if (error instanceof HazelcastSerializationException)
            return new ClusterException(what + ": " + innermost(error), error);
        if (error instanceof HazelcastException) return new ClusterException(what + ": " + error.getMessage(), error);
        return thrown;
    }

    /** What it comes from: the engine wraps it many times, in names of its own. */
    private static Throwable innermost(Throwable error) {
        Throwable inner = error;
        for (Throwable cause; (cause = inner.getCause()) != null; ) inner = cause;
        return inner;
    }
}
