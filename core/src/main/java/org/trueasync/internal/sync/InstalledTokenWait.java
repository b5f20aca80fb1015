package org.trueasync.internal.sync;

import java.time.Duration;
import java.util.Objects;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.event.TokenWait;

/** Waits with a token or a limit, for the kernel. */
public final class InstalledTokenWait extends TokenWait {
    public InstalledTokenWait() {}

    @Override
    public <T> T await(Completable<T> awaited, Completable<?> token) {
        return Awaiting.one(awaited, Objects.requireNonNull(token, "cancellation"));
    }

    @Override
    public <T> T await(Completable<T> awaited, Duration limit) {
        return Awaiting.one(awaited, Limits.token(limit, "Coroutine.await"));
    }
}
