package org.trueasync.internal.sync;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Something that opens once, for all who wait and all who come later. */
public final class Gate extends Event {
    private final Supplier<String> info;
    private @Nullable Throwable error;

    /**
     * A shut one.
     *
     * @param info one line about it
     */
    public Gate(Supplier<String> info) {
        this.info = info;
    }

    /**
     * Opens it: whoever waits is queued, in the order of coming.
     *
     * @param failure what they get thrown, or null
     */
    public void open(@Nullable Throwable failure) {
        if (isClosed()) return;
        error = failure;
        close();
        notifyCallbacks(null, failure);
    }

    /**
     * Waits until it is open.
     *
     * @param token gives the wait up, or null
     * @param call for messages
     */
    public void pass(@Nullable Completable<?> token, String call) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        if (!isClosed()) Awaiting.requireOpen(token);
        Awaiting.until(self, this, token);
    }

    /** Of a gate that is open: nobody has it but those who wait, and a wait replays only what is closed. */
    @Override
    public boolean replay(EventCallback callback) {
        deliver(callback, null, error);
        return true;
    }

    @Override
    public String info() {
        return info.get();
    }
}
