package org.trueasync.internal.event;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;

/**
 * Awaits a coroutine with a token or a limit. The kernel does not know tokens; the implementation comes from a package
 * above it, and is installed before a run begins.
 */
public abstract class TokenWait {
    private static volatile @Nullable TokenWait installed;

    protected TokenWait() {}

    /**
     * Installs the implementation, before a run begins; the last one wins.
     *
     * @param wait the implementation
     */
    public static void install(TokenWait wait) {
        installed = wait;
    }

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
