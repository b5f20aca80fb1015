package org.trueasync.testkit.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Section;

/**
 * What clients asked of a service, and what they were told: each operation with its begin, its end and its output.
 * {@link #check} decides whether the service is linearizable: whether every operation can have happened at one moment
 * between its begin and its end, so that all of them, in the order of these moments, are what a sequential model does.
 *
 * {@snippet :
 * var history = new History<String, String>();
 * history.call("client 1", "write 5", () -> register.write("5"));
 * history.check(new Register());
 * }
 *
 * <p>An operation that throws, or has not ended, has an unknown outcome: it may have happened at any moment after its
 * begin, also later than everything else, or never.
 *
 * <p>Begins and ends are numbered in the order of the calls; clocks do not matter. Any thread.
 *
 * @param <I> an operation with its arguments; its {@code toString} is in the report
 * @param <O> its output, compared with {@code equals}; may be null
 */
public final class History<I, O> {
    private final @Nullable LongSupplier nanos;
    /** Guarded by itself. In the order of their begins. */
    private final List<Operation<I, O>> operations = new ArrayList<>();

    private int moments;

    /** Creates an empty history. Its report shows the numbers of begins and ends in place of times. */
    public History() {
        nanos = null;
    }

    /**
     * Creates an empty history.
     *
     * @param nanos the time in nanoseconds, for the report only
     */
    public History(LongSupplier nanos) {
        this.nanos = Objects.requireNonNull(nanos, "nanos");
    }

    /**
     * The service, if it did one operation after another.
     *
     * @param <S> its state; immutable, with {@code equals} and {@code hashCode}; may be null
     * @param <I> an operation with its arguments
     * @param <O> its output
     */
    public interface Model<S, I, O> {
        /** The state before the first operation. */
        S initial();

        /**
         * One operation.
         *
         * @param state the state before it
         * @param input the operation
         * @return the state after it, and its output
         */
        Step<S, O> step(S state, I input);

        /**
         * The part of the service that an operation is about, for instance the key of a map. Parts have states of their
         * own, and each is checked by itself, which is a lot faster. One part unless overridden.
         *
         * @param input the operation
         */
        default Object key(I input) {
            return "";
        }
    }

    /**
     * What an operation does.
     *
     * @param state the state after it
     * @param output what it returns
     */
    public record Step<S, O>(S state, O output) {}

    /**
     * Does an operation, and records it.
     *
     * @param client who does it, for the report
     * @param input the operation
     * @param operation does it; what it throws is thrown on, and leaves the outcome unknown
     * @return what the operation returned
     */
    public <X extends Exception> O call(String client, I input, Section<O, X> operation) throws X {
        Objects.requireNonNull(operation, "operation");
        Operation<I, O> begun = begin(client, input);
        O output = operation.call();
        end(begun, output);
        return output;
    }

    Operation<I, O> begin(String client, I input) {
        synchronized (operations) {
            var begun = new Operation<I, O>(client, input, moments++, time());
            operations.add(begun);
            return begun;
        }
    }

    void end(Operation<I, O> operation, O output) {
        synchronized (operations) {
            operation.end(moments++, time(), output);
        }
    }

    private long time() {
        return nanos == null ? moments - 1 : nanos.getAsLong();
    }

    /** The number of operations that have begun. */
    public int size() {
        synchronized (operations) {
            return operations.size();
        }
    }

    /**
     * Checks that the history is linearizable. Operations that still go on have an unknown outcome.
     *
     * @param model what the service does, sequentially
     * @throws AssertionError if there is no order; it shows the order that explains most, and where it ends
     * @throws IllegalStateException if it is undecided after {@value Linearization#MAX_STEPS} steps: too many
     *     operations at once, or with an unknown outcome
     */
    public <S> void check(Model<S, I, O> model) {
        Objects.requireNonNull(model, "model");
        synchronized (operations) {
            var parts = new LinkedHashMap<Object, List<Operation<I, O>>>();
            for (var each : operations)
                parts.computeIfAbsent(model.key(each.input), _ -> new ArrayList<>())
                        .add(each);
            parts.forEach((key, part) -> {
                String problem = new Linearization<>(model, part).problem(nanos != null);
                if (problem == null) return;
                throw new AssertionError(
                        "not linearizable" + (parts.size() == 1 ? ": " : ", key " + key + ": ") + problem);
            });
        }
    }

    /** An operation. Moments number all begins and ends. */
    static final class Operation<I, O> {
        static final int UNKNOWN = Integer.MAX_VALUE;

        final String client;
        final I input;
        final int begin;
        final long beginTime;
        int end = UNKNOWN;
        long endTime;

        @Nullable
        O output;

        Operation(String client, I input, int begin, long beginTime) {
            this.client = Objects.requireNonNull(client, "client");
            this.input = input;
            this.begin = begin;
            this.beginTime = beginTime;
        }

        void end(int moment, long time, @Nullable O result) {
            end = moment;
            endTime = time;
            output = result;
        }

        boolean isUnknown() {
            return end == UNKNOWN;
        }
    }
}
