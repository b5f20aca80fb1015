package org.trueasync.testkit.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.testkit.simulation.History.Model;
import org.trueasync.testkit.simulation.History.Operation;
import org.trueasync.testkit.simulation.History.Step;

/**
 * The search for an order: J. Wing and C. Gong, "Testing and Verifying Concurrent Objects" (Journal of Parallel and
 * Distributed Computing 17, 1993), with the memoisation of G. Lowe, "Testing for Linearizability" (Concurrency and
 * Computation: Practice and Experience 29, 2017): a set of operations that leads to a state which it has led to before
 * is not tried again.
 *
 * <p>Next in the order can be any operation that began before the first end of one that has no place yet. Operations
 * with an unknown outcome are tried last: they need no place, and most have none.
 */
final class Linearization<S, I, O> {
    static final int MAX_STEPS = 3_000_000;
    private static final int ROWS_BEFORE = 8;

    /** An operation's place in the order, and the state before it. */
    private record Placed<S>(int operation, S before) {}

    private record Reached<S>(BitSet placed, S state) {
        /** The usual one has the same value for many of them. */
        @Override
        public int hashCode() {
            return placed.hashCode() * 0x9E3779B1 ^ Objects.hashCode(state);
        }
    }

    private final Model<S, I, O> model;
    /** Those that have ended, by begin; then the others, by begin. */
    private final List<Operation<I, O>> operations;

    private final int known;
    private final BitSet placed = new BitSet();
    private final Deque<Placed<S>> order = new ArrayDeque<>();
    private final Set<Reached<S>> reached = new HashSet<>();
    private S state;
    private int steps;

    /** The operation whose end no order has reached, and the order that has come that far. */
    private @Nullable Operation<I, O> stuck;

    private List<Placed<S>> furthest = List.of();
    private S furthestState;

    Linearization(Model<S, I, O> model, List<Operation<I, O>> byBegin) {
        this.model = model;
        operations = new ArrayList<>(byBegin);
        operations.sort((a, b) -> Boolean.compare(a.isUnknown(), b.isUnknown())); // stable
        known = (int) byBegin.stream().filter(each -> !each.isUnknown()).count();
        state = furthestState = model.initial();
    }

    /** Returns why there is no order, or null if there is one. */
    @Nullable
    String problem(boolean times) {
        return isOrdered() ? null : new Report(times).toString();
    }

    private boolean isOrdered() {
        int next = 0;
        while (placed.nextClearBit(0) < known) {
            Operation<I, O> first = firstToEnd();
            next = place(next, first.end);
            if (next >= 0) continue;
            if (stuck == null || first.end > stuck.end || (first == stuck && order.size() > furthest.size())) {
                stuck = first;
                furthest = List.copyOf(order);
                furthestState = state;
            }
            Placed<S> last = order.pollLast();
            if (last == null) return false;
            placed.clear(last.operation);
            state = last.before;
            next = last.operation + 1;
        }
        return true;
    }

    /** Of those without a place. */
    private Operation<I, O> firstToEnd() {
        Operation<I, O> first = operations.get(placed.nextClearBit(0));
        for (int i = placed.nextClearBit(0); i < known && operations.get(i).begin < first.end; ) {
            if (operations.get(i).end < first.end) first = operations.get(i);
            i = placed.nextClearBit(i + 1);
        }
        return first;
    }

    /** Gives a place to the first operation from {@code from} that began before {@code end} and fits: 0, or -1. */
    private int place(int from, int end) {
        for (int i = placed.nextClearBit(from); i < operations.size(); i = placed.nextClearBit(i + 1)) {
            Operation<I, O> operation = operations.get(i);
            if (operation.begin > end) {
                if (i >= known) return -1;
                i = known - 1;
                continue;
            }
            if (++steps > MAX_STEPS)
                throw new IllegalStateException("undecided after " + MAX_STEPS + " steps, with " + operations.size()
                        + " operations, " + (operations.size() - known) + " of them with an unknown outcome");
            Step<S, O> step = model.step(state, operation.input);
            boolean fits = operation.isUnknown()
                    ? !Objects.equals(step.state(), state)
                    : Objects.equals(step.output(), operation.output);
            if (!fits) continue;
            placed.set(i);
            if (!reached.contains(new Reached<>(placed, step.state()))) {
                reached.add(new Reached<>((BitSet) placed.clone(), step.state()));
                order.addLast(new Placed<>(i, state));
                state = step.state();
                return 0;
            }
            placed.clear(i);
        }
        return -1;
    }

    /** The end of the order that came furthest, and the operations that overlap there. */
    private final class Report {
        private final List<String[]> rows = new ArrayList<>();
        private final boolean times;

        Report(boolean times) {
            this.times = times;
        }

        @Override
        public String toString() {
            Operation<I, O> culprit = Objects.requireNonNull(stuck);
            rows.add(new String[] {
                "", times ? "begin" : "begins", times ? "end" : "ends", "client", "operation", "output", "state after"
            });
            BitSet inOrder = new BitSet();
            for (Placed<S> each : furthest) inOrder.set(each.operation);
            for (int i = Math.max(0, furthest.size() - ROWS_BEFORE); i < furthest.size(); i++) {
                S after = i + 1 < furthest.size() ? furthest.get(i + 1).before : furthestState;
                row(Integer.toString(i + 1), operations.get(furthest.get(i).operation), String.valueOf(after));
            }
            for (int i = 0; i < operations.size(); i++) {
                Operation<I, O> each = operations.get(i);
                if (each == culprit) row("!", each, "impossible");
                else if (!inOrder.get(i) && each.begin < culprit.end) row("?", each, "");
            }
            long ended =
                    operations.stream().filter(each -> each.end <= culprit.end).count();
            var text = new StringBuilder("no order explains the first ")
                    .append(ended)
                    .append(" operations that ended (of ")
                    .append(operations.size())
                    .append("). The order that comes furthest has ")
                    .append(furthest.size())
                    .append(", then none fits ('!' must, '?' may come next):");
            for (String[] cells : rows) {
                text.append("\n  ");
                for (int i = 0; i < cells.length; i++)
                    text.append(i == 0 ? "" : "  ").append(padded(cells, i));
                text.setLength(text.toString().stripTrailing().length());
            }
            return text.toString();
        }

        private void row(String mark, Operation<I, O> operation, String after) {
            rows.add(new String[] {
                mark,
                time(operation.beginTime),
                operation.isUnknown() ? "-" : time(operation.endTime),
                operation.client,
                String.valueOf(operation.input),
                operation.isUnknown() ? "unknown" : String.valueOf(operation.output),
                after
            });
        }

        private String time(long time) {
            return times ? String.format(Locale.ROOT, "%.3f ms", time / 1e6) : Long.toString(time);
        }

        private String padded(String[] cells, int column) {
            int width =
                    rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
            String spaces = " ".repeat(width - cells[column].length());
            return column < 3 ? spaces + cells[column] : cells[column] + spaces;
        }
    }
}
