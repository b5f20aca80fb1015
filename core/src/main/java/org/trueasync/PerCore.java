package org.trueasync;

import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import org.trueasync.internal.cores.CoresRun;

/**
 * A variable of which each core has a value of its own, made when it is first asked for there. Plain mutable state is fine as a value: only its core sees it. Made once and known to all, as a constant
 * or a local variable of whoever calls {@link Async#onEachCore}.
 *
 * <p>The value belongs to a run on several cores and ends with it. {@code all} and {@code reduce} fetch what they read on its own core.
 *
 * <p>Loop thread only, except {@code of}.
 *
 * @param <T> type of the values
 */
public final class PerCore<T> {
    private final Supplier<? extends T> initial;

    private PerCore(Supplier<? extends T> initial) {
        this.initial = initial;
    }

    /**
     * A variable.
     *
     * @param initial makes a core's value, on that core; not null
     */
    public static <T> PerCore<T> of(Supplier<? extends T> initial) {
        return new PerCore<>(Objects.requireNonNull(initial, "initial"));
    }

    /**
     * This core's value.
     *
     * @throws AsyncException outside of {@link Async#onEachCore}
     */
    public T get() {
        return CoresRun.here("PerCore.get").value(this, initial);
    }

    /**
     * Reads something of each core's value, on that core.
     *
     * @param read what it returns crosses to this core, so it should not be changed any more: a number, a copy
     * @return what was read, in the order of the cores
     */
    public <R> List<R> all(Function<? super T, ? extends R> read) {
        Objects.requireNonNull(read, "read");
        Task<R> task = () -> read.apply(get());
        return Cores.current().onAll(task);
    }

    /**
     * Reads something of each core's value and makes one of all: {@code stats.reduce(Stats::copy, Stats::plus)}.
     *
     * @param read as in {@link #all}
     * @param joined makes one value of two; called here, in the order of the cores
     * @return the one value
     */
    public <R> R reduce(Function<? super T, ? extends R> read, BinaryOperator<R> joined) {
        Objects.requireNonNull(read, "read");
        Task<R> task = () -> read.apply(get());
        return Cores.current().reduce(task, joined);
    }
}
