package org.trueasync.internal.sync;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** A gate that opens once, for all present and later waiters. */
public final class Gate extends Event implements HeldByWakers {
    private final Supplier<String> info;
    private @Nullable Throwable error;

    /**
     * Creates a shut gate.
     *
     * @param info supplies one line about it
     */
    public Gate(Supplier<String> info) {
        this.info = info;
    }

    /**
     * Opens the gate and wakes all waiters, in the order of arrival. Does nothing if it is open.
     *
     * @param failure the error that the waiters throw, or null
     */
    public void open(@Nullable Throwable failure) {
        if (isClosed()) return;
        error = failure;
        close();
        notifyCallbacks(null, failure);
    }

    /**
     * Waits until the gate is open; throws the error with which it was opened, if any.
     *
     * @param token gives the wait up, or null
     * @param call the waiting call, for messages
     */
    public void pass(@Nullable Completable<?> token, String call) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        if (!isClosed()) Awaiting.requireOpen(token);
        Awaiting.until(self, this, token);
    }

    /**
     * Delivers the outcome of an open gate. Only waits of this library use a gate, and they replay it only once it is
     * open.
     */
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
