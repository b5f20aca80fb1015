package org.trueasync.internal.future;

import java.util.Objects;
import java.util.function.Function;

/** Derives futures from others. Loop thread only. */
public final class Futures {
    private Futures() {}

    /**
     * See {@link org.trueasync.Future#map}.
     *
     * @param source the future that the new one follows from
     * @param f the handler
     */
    public static <S, R> FutureCore<R> map(FutureCore<S> source, Function<? super S, ? extends R> f) {
        Objects.requireNonNull(f, "f");
        source.loop.requireLoopThread("Future.map");
        source.markUsed();
        return new Derivation.Mapping<S, R>(source, f).begin();
    }

    /**
     * See {@link org.trueasync.Future#recover}.
     *
     * @param source the future that the new one follows from
     * @param f the handler
     */
    public static <T> FutureCore<T> recover(FutureCore<T> source, Function<? super Throwable, ? extends T> f) {
        Objects.requireNonNull(f, "f");
        source.loop.requireLoopThread("Future.recover");
        source.markCaught();
        return new Derivation.Recovery<T>(source, f).begin();
    }

    /**
     * See {@link org.trueasync.Future#onFinally}.
     *
     * @param source the future that the new one follows from
     * @param f the handler
     */
    public static <T> FutureCore<T> onFinally(FutureCore<T> source, Runnable f) {
        Objects.requireNonNull(f, "f");
        source.loop.requireLoopThread("Future.onFinally");
        source.markUsed();
        return new Derivation.AtEnd<T>(source, f).begin();
    }
}
