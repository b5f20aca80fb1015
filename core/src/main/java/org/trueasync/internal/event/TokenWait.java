package org.trueasync.internal.event;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;

/** How a coroutine is awaited with a token or a limit. Waits with tokens stand above the kernel, which is told of them before a run begins. */
public abstract class TokenWait {
    private static volatile @Nullable TokenWait installed;

    /** For who knows tokens. */
    protected TokenWait() {}

    /**
     * Called before a run begins; the last one wins.
     *
     * @param wait knows tokens
     */
    public static void install(TokenWait wait) {
        installed = wait;
    }

    /** The one that was installed. */
    public static TokenWait installed() {
        return Objects.requireNonNull(installed, "a run begins with TokenWait.install");
    }

    /**
     * See {@link org.trueasync.Coroutine#await(Completable)}.
     *
     * @param awaited may have ended
     * @param token gives the wait up
     */
    public abstract <T> T await(Completable<T> awaited, Completable<?> token);

    /**
     * See {@link org.trueasync.Coroutine#await(Duration)}.
     *
     * @param awaited may have ended
     * @param limit >= 0
     */
    public abstract <T> T await(Completable<T> awaited, Duration limit);
}
