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
 * Something that one thread does on behalf of ordinary JDK code on others. Who waits for it does so as well as can be done there: a coroutine suspends;
 * where it may not, and in other threads, the thread parks, as the JDK has it. It ends well; what came of it is told elsewhere.
 */
public final class Offload extends CompletableFuture<@Nullable Void> {
    private final String what;

    /**
     * One that has not ended.
     *
     * @param what it is, for reports
     */
    public Offload(String what) {
        this.what = what;
    }

    /** True if the calling thread is a virtual one on a loop: a call that blocks there stops everybody on that loop. */
    public static boolean isNeeded() {
        return Thread.currentThread().isVirtual() && Runtimes.hereOrNull() != null;
    }

    /** It has ended. Any thread, also again. */
    public void end() {
        complete(null);
    }

    /**
     * Waits for its end. Any thread.
     *
     * @throws org.trueasync.AsyncCancellation if the coroutine that waits is cancelled; in other threads an interrupt changes nothing
     */
    public void await() {
        if (isDone()) return;
        Loop loop = Runtimes.hereOrNull();
        if (loop == null || !loop.maySuspend() || !suspended(loop)) join();
    }

    /**
     * As {@link #await}, unless that would block a loop.
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
     * Waits for its end for a while. Not on a loop.
     *
     * @param millis how long
     * @return false if it has not ended by then
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

    /** False if the coroutine can't leave its thread. */
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
