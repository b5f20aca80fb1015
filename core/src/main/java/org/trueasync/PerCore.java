package org.trueasync;

import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import org.trueasync.internal.cores.CoresRun;

/**
 * A variable with one value per core. Each core makes its value when it first asks for it. Plain mutable state is fine
 * as a value: only its core sees it. Create the variable once and share it, as a constant or as a local variable of the
 * method that calls {@link Cores.Builder#run(Task)}.
 *
 * <p>The values belong to one call of {@link Cores.Builder#run(Task)} and end with it. {@code all} and {@code reduce}
 * read each value on its own core.
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
     * Creates a variable.
     *
     * @param initial makes a core's value, on that core; must not return null. If it waits, another coroutine of that
     *     core may call it too; then the value that is there first counts
     */
    public static <T> PerCore<T> of(Supplier<? extends T> initial) {
        return new PerCore<>(Objects.requireNonNull(initial, "initial"));
    }

    /**
     * Returns this core's value.
     *
     * @throws AsyncException outside of {@link Cores.Builder#run(Task)}
     */
    public T get() {
        return CoresRun.here("PerCore.get").value(this, initial);
    }

    /**
     * Applies a function to each core's value, on that core.
     *
     * @param read returns something that can cross to this core and is not changed any more: a number, a copy
     * @return the results, in the order of the cores
     * @throws AsyncException outside of {@link Cores.Builder#run(Task)}
     */
    public <R> List<R> all(Function<? super T, ? extends R> read) {
        Objects.requireNonNull(read, "read");
        Task<R> task = () -> read.apply(get());
        return Cores.current().onAll(task);
    }

    /**
     * Applies a function to each core's value and combines the results into one:
     * {@code stats.reduce(Stats::copy, Stats::plus)}.
     *
     * @param read as in {@link #all}
     * @param joined combines two values; called on this core, in the order of the cores
     * @return the combined value
     * @throws AsyncException outside of {@link Cores.Builder#run(Task)}
     */
    public <R> R reduce(Function<? super T, ? extends R> read, BinaryOperator<R> joined) {
        Objects.requireNonNull(read, "read");
        Task<R> task = () -> read.apply(get());
        return Cores.current().reduce(task, joined);
    }
}
