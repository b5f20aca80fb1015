package org.trueasync.internal.http.jdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * A call that is made on the loop, from any thread. A coroutine of the loop makes it itself. Any other thread, and a
 * virtual thread of a library's, blocks while a new coroutine of the main scope makes it.
 */
@FunctionalInterface
interface LoopCall<T extends @Nullable Object> {
    /** Does it; on the loop, in a coroutine. */
    T make() throws IOException;

    /**
     * Makes a call.
     *
     * @throws IOException what the call throws, an {@link InputOutputException} as its cause; also if the runtime has
     *     ended
     */
    static <T extends @Nullable Object> T on(Loop loop, LoopCall<T> call) throws IOException {
        if (isHere(loop)) return made(call);
        var result = new CompletableFuture<T>();
        loop.post(() -> launch(loop, call, result), () -> result.completeExceptionally(ended(null)));
        try {
            return result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IOException(e);
            }
        }
    }

    /** True in a coroutine of the loop. */
    static boolean isHere(Loop loop) {
        return Runtimes.hereOrNull() == loop && loop.runsCoroutine();
    }

    private static <T extends @Nullable Object> void launch(Loop loop, LoopCall<T> call, CompletableFuture<T> result) {
        try {
            Body body = () -> {
                try {
                    result.complete(made(call));
                } catch (AsyncCancellation e) {
                    result.completeExceptionally(ended(e));
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            };
            // a coroutine that is cancelled before it begins never runs
            loop.mainScope()
                    .launchFrom("a call of an HTTP exchange by another thread", body)
                    .onFinally(c -> result.completeExceptionally(ended(null)));
        } catch (Throwable e) {
            result.completeExceptionally(ended(e));
        }
    }

    private static <T extends @Nullable Object> T made(LoopCall<T> call) throws IOException {
        try {
            return call.make();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (InputOutputException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static IOException ended(@Nullable Throwable cause) {
        return new IOException("the runtime of the HTTP server ends, or has ended", cause);
    }
}
