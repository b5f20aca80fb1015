package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.cluster.Forbidden;

/** Maps between two members of one process. */
class ClusterMapTest extends PairTest {
    @Test
    void entries_areTheSameForAllMembers() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<String, Integer> here = one.map("entries");
            ClusterMap<String, Integer> there = other.map("entries");
            for (int i = 0; i < 20; i++) {
                String key = "key-" + i; // on both members
                assertThat(here.put(key, 1)).isNull();
                assertThat(there.put(key, 2)).isEqualTo(1);
                assertThat(here.get(key)).isEqualTo(2);
                assertThat(there.putIfAbsent(key, 3)).isEqualTo(2);
                assertThat(there.replace(key, 1, 4)).isFalse();
                assertThat(there.replace(key, 2, 4)).isTrue();
                assertThat(here.replace(key, 5)).isEqualTo(4);
                assertThat(there.replace("none", 5)).isNull();
                assertThat(here.remove(key, 4)).isFalse();
                assertThat(here.remove(key, 5)).isTrue();
                assertThat(there.containsKey(key)).isFalse();
                assertThat(here.putIfAbsent(key, 6)).isNull();
                there.set(key, 7);
                assertThat(here.remove(key)).isEqualTo(7);
                here.set(key, 8);
            }
            assertThat(there.size()).isEqualTo(20);
            there.clear();
            assertThat(here.size()).isZero();
        });
    }

    @Test
    void compute_countsEachCallOnce() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<String, Integer> here = one.map("counts");
            ClusterMap<String, Integer> there = other.map("counts");
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                var map = i % 2 == 0 ? here : there;
                int step = 1 + i % 3;
                all.add(spawn(() -> map.compute("sum", (key, before) -> (before == null ? 0 : before) + step)));
            }
            for (var each : all) await(each);
            int sum = 0;
            for (int i = 0; i < 100; i++) sum += 1 + i % 3;
            assertThat(here.get("sum")).isEqualTo(sum);
            assertThat(there.compute("sum", (key, before) -> null)).isNull();
            assertThat(here.containsKey("sum")).isFalse();
        });
    }

    @Test
    void functionThatThrows_orCannotTravel_isTheCallersError() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<String, Integer> here = one.map("throwing");
            for (String key : List.of("a", "b", "c", "d")) {
                assertThatThrownBy(() -> here.compute(key, (k, before) -> {
                            throw new IllegalArgumentException("not this one");
                        }))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not this one");
            }
            var captured = new Object();
            for (String key : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
                if (isHere(one, key)) continue;
                assertThatThrownBy(() -> here.compute(key, (k, before) -> captured.hashCode()))
                        .isInstanceOf(ClusterException.class)
                        .hasMessageContaining("java.lang.Object");
            }
            assertThat(here.size()).isZero();
        });
    }

    private static boolean isHere(Cluster cluster, String key) {
        return cluster.engine()
                .getPartitionService()
                .getPartition(key)
                .getOwner()
                .localMember();
    }

    @Test
    void keys_comeOnceEach_ofAllMembers_whateverHappensToOthers() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<Integer, String> here = one.map("keys");
            assertThat(here.keys()).isEmpty();
            for (int i = 0; i < 500; i++) here.set(i, "value");
            assertThat(other.map("keys").keys()).hasSize(500);

            List<Integer> seen = new ArrayList<>();
            for (int key : here.keys()) {
                seen.add(key);
                if (key % 2 == 1) here.remove(key);
                else if (key < 500) here.set(1_000 + key, "new");
            }
            assertThat(seen)
                    .doesNotHaveDuplicates()
                    .containsAll(IntStream.range(0, 250).mapToObj(i -> 2 * i).toList());
            assertThat(here.keys()).hasSize(500).allMatch(key -> key % 2 == 0);
        });
    }

    @Test
    void keyThatCannotBeRead_isAnError_andTheOthersCome() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<Object, Integer> here = one.map("unreadable");
            here.set("a", 1);
            here.set(new Forbidden(1), 1);
            here.set("b", 1);
            var keys = here.keys().iterator();
            List<Object> read = new ArrayList<>();
            List<Exception> errors = new ArrayList<>();
            while (keys.hasNext()) {
                try {
                    read.add(keys.next());
                } catch (ClusterException e) {
                    errors.add(e);
                }
            }
            assertThat(read).containsExactlyInAnyOrder("a", "b");
            assertThat(errors).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("Forbidden"));
            assertThatThrownBy(keys::next).isInstanceOf(NoSuchElementException.class);
        });
    }

    @Test
    void spentToken_endsTheWait() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<String, Integer> here = one.map("tokens");
            var spent = new FutureState<Boolean>();
            spent.complete(true);
            assertThatThrownBy(() -> here.until(spent.future()).get("a"))
                    .isInstanceOf(OperationCanceledException.class);
            for (int i = 0; i < 100; i++)
                assertThatThrownBy(() -> here.until(spent.future()).put("a", 1))
                        .isInstanceOf(OperationCanceledException.class);
            var keys = here.until(spent.future()).keys().iterator();
            assertThatThrownBy(keys::hasNext).isInstanceOf(OperationCanceledException.class);
            assertThat(here.until(timeout(60_000)).get("a")).isNull();
        });
    }

    @Test
    void valueThatIsNotSerialisable_isRefused() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<String, Object> here = one.map("values");
            assertThatThrownBy(() -> here.put("a", new NotSerialisable(1)))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("NotSerialisable");
            assertThat(here.containsKey("a")).isFalse();
            here.put("a", new Value("x"));
            assertThat(other.map("values").get("a")).isEqualTo(new Value("x"));
        });
    }

    @Test
    void changes_comeInOrder_andToTheCallback() throws Exception {
        pair.test((one, other) -> {
            ClusterMap<String, Integer> here = one.map("changes");
            ClusterMap<String, Integer> there = other.map("changes");
            List<MapChange<String, Integer>> called = new ArrayList<>();
            try (var changes = there.changes()) {
                var callback = here.onChange(called::add);
                Waiting.until("listening", () -> {
                    there.put("warm", 0);
                    return !called.isEmpty();
                });
                here.put("a", 1);
                here.put("a", 2);
                here.remove("a");
                // "warm" is another key, so its changes may come between those of "a".
                List<MapChange<String, Integer>> ofA = new ArrayList<>();
                while (ofA.size() < 3) {
                    MapChange<String, Integer> next = changes.receive();
                    if (next.key().equals("a")) ofA.add(next);
                }
                assertThat(ofA)
                        .containsExactly(
                                new MapChange<>("a", null, 1),
                                new MapChange<>("a", 1, 2),
                                new MapChange<>("a", 2, null));
                Waiting.until("all", () -> called.contains(new MapChange<>("a", 2, null)));
                callback.cancel();
            }
            var over = there.changes();
            over.close();
            assertThat(over).isEmpty();
        });
    }

    record NotSerialisable(int x) {}

    record Value(String text) implements Serializable {}
}
