package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.testkit.VirtualTime;
import org.trueasync.testkit.simulation.History.Model;
import org.trueasync.testkit.simulation.History.Operation;
import org.trueasync.testkit.simulation.History.Step;

class HistoryTest {
    /** "write 5" returns ok; "read" returns what was written last; "cas 5 6" returns whether it was 5, and writes 6. */
    static final class Register implements Model<String, String, String> {
        @Override
        public String initial() {
            return "0";
        }

        @Override
        public Step<String, String> step(String state, String input) {
            String[] words = input.split(" ");
            return switch (words[0]) {
                case "write" -> new Step<>(words[1], "ok");
                case "cas" -> state.equals(words[1]) ? new Step<>(words[2], "true") : new Step<>(state, "false");
                default -> new Step<>(state, state);
            };
        }
    }

    /** The same with a key as the last word. */
    static final class Keys implements Model<String, String, String> {
        private final Register register = new Register();

        @Override
        public String initial() {
            return "0";
        }

        @Override
        public Step<String, String> step(String state, String input) {
            return register.step(state, input);
        }

        @Override
        public Object key(String input) {
            return input.substring(input.lastIndexOf(' ') + 1);
        }
    }

    /**
     * Each line is a client: a letter where an operation begins, digits in between, and {@code )} where it ends;
     * without it the outcome is unknown. Columns are moments.
     */
    private static History<String, String> history(Map<Character, String> operations, String... clients) {
        var history = new History<String, String>();
        var open = new HashMap<Integer, Operation<String, String>>();
        var outputs = new HashMap<Integer, String>();
        for (int column = 0; column < 80; column++) {
            for (int client = 0; client < clients.length; client++) {
                char at = column < clients[client].length() ? clients[client].charAt(column) : ' ';
                if (Character.isLetter(at)) {
                    String[] sides = operations.get(at).split(" -> ");
                    open.put(client, history.begin("client " + (client + 1), sides[0]));
                    outputs.put(client, sides[1]);
                } else if (at == ')') {
                    history.end(open.get(client), outputs.get(client));
                }
            }
        }
        return history;
    }

    private static final Map<Character, String> OPERATIONS =
            Map.of('w', "write 1 -> ok", 'x', "write 2 -> ok", 'o', "read -> 0", 'r', "read -> 1", 's', "read -> 2");

    private static boolean isLinearizable(String... clients) {
        return passes(history(OPERATIONS, clients), new Register());
    }

    private static boolean passes(History<String, String> history, Model<String, String, String> model) {
        try {
            history.check(model);
            return true;
        } catch (AssertionError refused) {
            assertThat(refused).hasMessageStartingWith("not linearizable");
            return false;
        }
    }

    @Test
    void register_readsWhatWasWrittenLast_orWhatIsBeingWritten() {
        assertThat(isLinearizable()).isTrue();
        assertThat(isLinearizable("w) r)")).isTrue();
        assertThat(isLinearizable("w) o)")).isFalse();
        assertThat(isLinearizable("w-------)", " o) r)")).isTrue();
        assertThat(isLinearizable("w-------)", " r) o)")).isFalse();
        assertThat(isLinearizable("w-------)", " r----)", "   o----)")).isTrue();
        assertThat(isLinearizable("w-------)", " x------)", "          r)")).isTrue();
        assertThat(isLinearizable("w-------)", " x------)", "          r) s)")).isFalse();
        assertThat(isLinearizable("w---)", "   x---)", " s)")).isFalse();
    }

    @Test
    void unknownWrite_happensAtAnyLaterMoment_orNever() {
        assertThat(isLinearizable("w", "  o) o)")).isTrue();
        assertThat(isLinearizable("w", "  o) o) r) r)")).isTrue();
        assertThat(isLinearizable("w", "  x) s) r)")).isTrue();
        assertThat(isLinearizable("w", "  r) x) r)")).as("it happens once").isFalse();
        assertThat(isLinearizable("   w", "r)")).as("not before its begin").isFalse();
        assertThat(isLinearizable("r", "  x) s)")).as("a read has no place").isTrue();
    }

    @Test
    void keys_areCheckedApart() {
        var operations = Map.of('a', "write 1 a -> ok", 'b', "write 2 b -> ok", 'c', "read a -> 1", 'd', "read b -> 0");
        assertThat(passes(history(operations, "a) b) c)"), new Keys())).isTrue();
        assertThatThrownBy(() -> history(operations, "a) b) c) d)").check(new Keys()))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("not linearizable, key b: no order explains the first 2 operations");
    }

    @Test
    void report_showsTheOrderAndWhatOverlapsWhereItEnds() {
        var history = history(OPERATIONS, "w) r)   x", "          o)", "             w)");
        var refused = catchThrowableOfType(AssertionError.class, () -> history.check(new Register()));
        assertThat(refused).hasMessage("""
                not linearizable: no order explains the first 3 operations that ended (of 5). The order that comes \
                furthest has 3, then none fits ('!' must, '?' may come next):
                     begins  ends  client    operation  output   state after
                  1       0     1  client 1  write 1    ok       1
                  2       2     3  client 1  read       1        1
                  3       4     -  client 1  write 2    unknown  2
                  !       5     6  client 2  read       0        impossible""");
    }

    @Test
    void call_recordsFromCoroutines_andAnExceptionLeavesTheOutcomeUnknown() {
        VirtualTime.run(() -> {
            var history = new History<String, @Nullable String>(
                    () -> VirtualTime.elapsed().toNanos());
            String[] register = {"0"};
            var writer = Async.spawn(() -> history.call("a", "write 7", () -> {
                Async.delay(10);
                register[0] = "7";
                Async.delay(1_000);
                throw new IllegalStateException("no answer");
            }));
            Async.delay(20);
            assertThat(history.call("b", "read", () -> register[0])).isEqualTo("7");
            assertThatThrownBy(() -> Async.await(writer)).hasMessage("no answer");
            history.check(new Register());
            assertThat(history.size()).isEqualTo(2);
            history.call("b", "read", () -> "3");
            assertThatThrownBy(() -> history.check(new Register()))
                    .hasMessageContaining("!  1010.000 ms  1010.000 ms  b       read       3        impossible");
        });
    }

    /** Also those with an unknown outcome, which stay open for ever. */
    @Test
    void manyOperationsAtOnce_areDecided() {
        var history = new History<String, String>();
        var random = new SplittableRandom(1);
        String state = "0";
        var model = new Register();
        for (int i = 0; i < 500; i++) {
            if (i % 100 == 0) history.begin("lost", "write lost" + i);
            var some = new ArrayList<Operation<String, String>>();
            for (int client = 0; client < 6; client++) {
                int value = random.nextInt(10);
                String input = client < 4 ? "read" : client < 5 ? "write " + value : "cas " + value + " " + (value + 1);
                some.add(history.begin("c" + client, input));
            }
            while (!some.isEmpty()) {
                var next = some.remove(random.nextInt(some.size()));
                var step = model.step(state, next.input);
                state = step.state();
                history.end(next, step.output());
            }
        }
        history.check(model);
    }

    @Test
    @Tag("deep")
    void tooManyUnknown_isUndecided() {
        var history = new History<String, String>();
        for (int i = 0; i < 25; i++) history.begin("lost", "write " + i);
        history.end(history.begin("c", "read"), "none of them");
        assertThatIllegalStateException()
                .isThrownBy(() -> history.check(new Register()))
                .withMessageContaining("26 operations, 25 of them with an unknown outcome");
    }

    // ---- against all orders

    @Test
    void smallHistories_asAllOrdersSay() {
        var random = new SplittableRandom(42);
        int[] found = new int[2];
        for (int run = 0; run < 5_000; run++) {
            var operations = randomHistory(random, 1 + random.nextInt(6));
            String problem = new Linearization<>(new Register(), operations).problem(false);
            boolean expected = anyOrder(operations, 0, "0");
            assertThat(problem == null).as("seed 42, run %d: %s", run, problem).isEqualTo(expected);
            found[expected ? 1 : 0]++;
        }
        assertThat(found[0]).isGreaterThan(1_000);
        assertThat(found[1]).isGreaterThan(1_000);
    }

    private static List<Operation<String, String>> randomHistory(SplittableRandom random, int count) {
        var history = new ArrayList<Operation<String, String>>();
        var open = new ArrayList<Operation<String, String>>();
        int moment = 0;
        while (history.size() < count || !open.isEmpty()) {
            if (history.size() < count && (open.isEmpty() || random.nextInt(3) > 0)) {
                String input =
                        switch (random.nextInt(4)) {
                            case 0 -> "write " + random.nextInt(3);
                            case 1 -> "cas " + random.nextInt(3) + " " + random.nextInt(3);
                            default -> "read";
                        };
                var begun = new Operation<String, String>("c", input, moment++, 0);
                history.add(begun);
                open.add(begun);
            } else {
                var ended = open.remove(random.nextInt(open.size()));
                if (random.nextInt(6) == 0) continue;
                String output = ended.input.startsWith("write")
                        ? "ok"
                        : ended.input.startsWith("cas")
                                ? Boolean.toString(random.nextInt(3) == 0)
                                : Integer.toString(random.nextInt(3));
                ended.end(moment++, 0, output);
            }
        }
        return history;
    }

    private static boolean anyOrder(List<Operation<String, String>> all, int placed, String state) {
        boolean complete = true;
        for (int i = 0; i < all.size(); i++) {
            if ((placed & 1 << i) != 0) continue;
            var each = all.get(i);
            if (!each.isUnknown()) complete = false;
            boolean mayBeNext = true;
            for (int j = 0; j < all.size(); j++)
                if ((placed & 1 << j) == 0 && all.get(j).end < each.begin) mayBeNext = false;
            if (!mayBeNext) continue;
            var step = new Register().step(state, each.input);
            if ((each.isUnknown() || Objects.equals(step.output(), each.output))
                    && anyOrder(all, placed | 1 << i, step.state())) return true;
        }
        return complete;
    }
}
