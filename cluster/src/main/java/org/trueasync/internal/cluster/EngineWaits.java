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
 * Waits for the engine's asynchronous calls. They complete on the engine's threads; only the calling coroutine waits,
 * and goes on on its loop. A wait that is given up does not stop the call: it has its effect on the other member, or
 * will have.
 */
public final class EngineWaits {
    private EngineWaits() {}

    /**
     * Waits for a call of the engine. Returns its value, or throws its error, see {@link #translate}.
     *
     * @param call begins it; what this throws is treated alike
     * @param token ends the wait, null for none; if it has ended already, the call is not made
     * @param what for messages: what is waited for
     */
    public static <T extends @Nullable Object> T await(
            Supplier<? extends CompletionStage<T>> call, @Nullable Completable<?> token, String what) {
        throwIfEnded(token);
        try {
            CompletionStage<T> stage = onItsThread(call.get());
            return token == null ? Async.await(stage) : Async.await(stage, token);
        } catch (HazelcastException | IllegalStateException | CompletionException e) {
            throw translate(e, what);
        }
    }

    /**
     * Throws what a wait with this token throws, if the token has ended already.
     *
     * @param token null for none
     */
    public static void throwIfEnded(@Nullable Completable<?> token) {
        if (token != null && token.isCompleted())
            Async.await(new FutureState<Boolean>().ignore().future(), token);
    }

    /**
     * Returns a stage that completes on the thread that completes the engine's. For each dependent, the engine's own
     * stages start a thread if the JVM has one or two processors, or else use the common pool, unless an executor is
     * given; that costs many times as much as the call.
     */
    private static <T extends @Nullable Object> CompletionStage<T> onItsThread(CompletionStage<T> stage) {
        var copy = new CompletableFuture<T>();
        var _ = stage.whenCompleteAsync(
                (value, thrown) -> {
                    if (thrown == null) copy.complete(value);
                    else copy.completeExceptionally(thrown);
                },
                Runnable::run);
        return copy;
    }

    /**
     * Translates an error of the engine into one of ours; returns all other errors as they are.
     *
     * @param thrown by a call of the engine
     * @param what was called
     */
    public static RuntimeException translate(RuntimeException thrown, String what) {
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

    /** Returns the innermost cause: the engine wraps it many times, in errors of its own. */
    private static Throwable innermost(Throwable error) {
        Throwable inner = error;
        for (Throwable cause; (cause = inner.getCause()) != null; ) inner = cause;
        return inner;
    }
}
