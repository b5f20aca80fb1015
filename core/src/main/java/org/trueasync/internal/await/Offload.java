package org.trueasync.internal.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ResumeCallback;

/**
 * A piece of work, or a turn to do some, for which ordinary JDK code on other threads waits. A coroutine that waits for
 * it suspends. A coroutine that may not suspend, and any other thread, parks, as in any JDK call. This future always
 * completes normally; the work's own outcome is passed elsewhere.
 */
public final class Offload extends CompletableFuture<@Nullable Void> {
    private final String what;

    /**
     * Creates the future of work that has not ended.
     *
     * @param what the work, for reports
     */
    public Offload(String what) {
        this.what = what;
    }

    /**
     * True if the calling thread is a virtual one on a loop: a blocking call there stops every coroutine of that loop.
     */
    public static boolean isNeeded() {
        return Thread.currentThread().isVirtual() && Runtimes.hereOrNull() != null;
    }

    /** Says that the work has ended. Any thread; a second call has no effect. */
    public void end() {
        complete(null);
    }

    /**
     * Waits for the work's end. Any thread.
     *
     * @throws org.trueasync.AsyncCancellation if the coroutine that waits is cancelled; in other threads an interrupt
     *     changes nothing
     */
    public void await() {
        if (isDone()) return;
        Loop loop = Runtimes.hereOrNull();
        if (loop == null || !loop.maySuspend() || !suspended(loop)) join();
    }

    /**
     * Waits as {@link #await} does, unless that would block a loop.
     *
     * @return false, at once, if it has not ended and the caller can't leave its loop
     * @throws org.trueasync.AsyncCancellation as above
     */
    public boolean awaitUnlessStuck() {
        if (isDone()) return true;
        Loop loop = Runtimes.hereOrNull();
        if (loop != null) return loop.maySuspend() && suspended(loop);
        join();
        return true;
    }

    /**
     * Waits for the work's end, for a limited time. Not on a loop.
     *
     * @param millis the longest wait, in milliseconds
     * @return false if it has not ended by then, or if an interrupt, which stays set, has ended the wait before
     */
    public boolean ends(long millis) {
        try {
            get(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
        return isDone();
    }

    /** Suspends the coroutine until the work ends. False if it is pinned. */
    private boolean suspended(Loop loop) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(what);
        self.newWait();
        self.resumeWhen(StageEvent.of(loop, this), ResumeCallback.RESOLVE);
        try {
            self.awaitEvents();
            return true;
        } catch (RuntimeException e) {
            if (loop.isPinned(e)) return false;
            throw e;
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
