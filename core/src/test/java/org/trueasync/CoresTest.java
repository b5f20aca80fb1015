package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.launch;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.Threads;

/** The same body on several cores, and calls between them. How they end is in {@link CoresEndTest}. */
class CoresTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    private static Cores.Builder three() {
        return Cores.builder().count(3);
    }

    @Test
    void body_runsOnEachCoreInARuntimeOfItsOwn() {
        Threads.run(() -> {
            Loop here = Runtimes.here("test");
            Set<Loop> loops = ConcurrentHashMap.newKeySet();
            List<Integer> indexes = three().run(() -> {
                Cores cores = Cores.current();
                assertThat(cores.count()).isEqualTo(3);
                assertThat(Runtimes.here("test") == here).isEqualTo(cores.index() == 0);
                loops.add(Runtimes.here("test"));
                return cores.index();
            });
            assertThat(indexes).containsExactly(0, 1, 2);
            assertThat(loops).hasSize(3);
        });
    }

    @Test
    void callOfAnotherCore_isShownWithThePlaceOfTheCall() {
        Threads.run(() -> Cores.builder().count(2).run(() -> {
            Cores cores = Cores.current();
            if (cores.index() != 0) return;
            Task<String> place = () -> Async.currentCoroutine().spawnLocation();
            assertThat(cores.on(1, place)).startsWith("CoresTest.java:");
            assertThat(cores.submitTo(1, place).await()).startsWith("CoresTest.java:");
            assertThat(cores.onAll(place)).hasSize(2).allMatch(site -> site.startsWith("CoresTest.java:"));
        }));
    }

    @Test
    void withoutACount_thereAreAsManyAsProcessors() {
        Threads.run(() -> {
            var bodies = new AtomicInteger();
            Cores.builder().run(() -> {
                bodies.incrementAndGet();
            });
            assertThat(bodies).hasValue(Async.availableParallelism());
            List<Integer> counts = Cores.builder().run(() -> Cores.current().count());
            assertThat(counts).hasSize(Async.availableParallelism()).containsOnly(Async.availableParallelism());
        });
    }

    @Test
    void oneCore_startsNoThread() {
        Threads.run(() -> {
            List<String> threads = Cores.builder().count(1).run(() -> {
                Cores cores = Cores.current();
                assertThat(cores.onAll(() -> cores.index())).containsExactly(0);
                Threads.assertNoneOfOursIsLeft();
                return Runtimes.threadName();
            });
            assertThat(threads).containsExactly(Runtimes.threadName());
        });
    }

    @Test
    void whatABodyHasSpawned_isAwaited() {
        Threads.run(() -> {
            var ended = new AtomicInteger();
            three().run(() -> {
                launch(() -> {
                    delay(1_000);
                    ended.incrementAndGet();
                });
            });
            assertThat(ended).hasValue(3);
        });
    }

    // ---- calls

    @Test
    void task_runsOnItsCoreAndItsValueComesBack() {
        Threads.run(() -> {
            List<List<Integer>> seen = three().run(() -> {
                Cores cores = Cores.current();
                var answers = new ArrayList<Integer>();
                for (int i = 0; i < 3; i++) answers.add(cores.on(i, cores::index));
                return answers;
            });
            assertThat(seen).hasSize(3).containsOnly(List.of(0, 1, 2));
        });
    }

    @Test
    void taskForItsOwnCore_isJustCalled() {
        Threads.run(() -> three().run(() -> {
            Cores cores = Cores.current();
            Coroutine<?> self = Async.currentCoroutine();
            long switches = Async.runtimeStats().switches();
            Coroutine<?> seen = cores.on(cores.index(), Async::currentCoroutine);
            assertThat(seen).isSameAs(self);
            assertThat(Async.runtimeStats().switches()).isEqualTo(switches);
        }));
    }

    @Test
    void callsOfOneCore_beginInTheirOrder() {
        Threads.run(() -> {
            var begun = new ArrayList<Integer>(); // on core 1 only
            three().run(() -> {
                Cores cores = Cores.current();
                if (cores.index() != 0) return;
                var answers = new ArrayList<Future<Integer>>();
                for (int i = 0; i < 1_000; i++) {
                    int number = i;
                    answers.add(cores.submitTo(1, () -> {
                        begun.add(number);
                        return number;
                    }));
                }
                List<Integer> numbers = Async.awaitAllOrFail(answers);
                for (int i = 0; i < 1_000; i++) assertThat(numbers.get(i)).isEqualTo(i);
            });
            assertThat(begun).hasSize(1_000).isSorted();
        });
    }

    @Test
    void taskMayWaitAndSpawn_andWhatItSpawnsGoesOn() {
        Threads.run(() -> {
            var order = new CopyOnWriteArrayList<String>();
            var answered = new ThreadChannel<Boolean>();
            three().run(() -> {
                Cores cores = Cores.current();
                if (cores.index() != 0) return;
                String answer = cores.on(1, () -> {
                    launch(() -> {
                        answered.receive();
                        order.add("spawned there");
                    });
                    delay(10);
                    return "answer";
                });
                order.add(answer);
                answered.send(true);
            });
            assertThat(order).containsExactly("answer", "spawned there");
        });
    }

    @Test
    void whatATaskThrows_reachesTheCaller() {
        Threads.run(() -> three().run(() -> {
            Cores cores = Cores.current();
            if (cores.index() != 0) return;
            for (int core = 0; core < 2; core++) {
                int target = core;
                var unchecked = new IllegalStateException("from core " + core);
                assertThatThrownBy(() -> cores.on(target, () -> {
                            throw unchecked;
                        }))
                        .isSameAs(unchecked);
                var checked = new IOException("from core " + core);
                assertThatThrownBy(() -> cores.on(target, () -> {
                            throw checked;
                        }))
                        .isInstanceOf(CompletionException.class)
                        .hasCause(checked);
            }
        }));
    }

    @Test
    void callerThatIsCancelled_cancelsItsTask() {
        Threads.run(() -> {
            var ends = new CopyOnWriteArrayList<String>();
            three().run(() -> {
                Cores cores = Cores.current();
                if (cores.index() != 0) return;
                var began = new AtomicInteger();
                Coroutine<?> caller = spawn(() -> cores.on(1, () -> {
                    try {
                        began.incrementAndGet();
                        new ThreadChannel<Integer>().receive();
                    } finally {
                        ends.add("cancelled there");
                    }
                }));
                while (began.get() == 0) suspend();
                caller.cancel();
                assertThatThrownBy(() -> await(caller)).isInstanceOf(AsyncCancellation.class);
            });
            assertThat(ends).containsExactly("cancelled there");
        });
    }

    @Test
    void callCancelledBeforeItArrives_doesNotRun() {
        Threads.run(() -> {
            var ran = new AtomicInteger();
            three().run(() -> {
                Cores cores = Cores.current();
                if (cores.index() != 0) return;
                Future<?> call = cores.submitTo(0, () -> {
                    ran.incrementAndGet();
                });
                call.cancel();
                suspend();
                assertThat(cores.<Integer>on(0, () -> 7)).isEqualTo(7);
            });
            assertThat(ran).hasValue(0);
        });
    }

    @Test
    void callsThatNobodyAwaits_areRunBeforeTheEnd() {
        Threads.run(() -> {
            var ran = new AtomicInteger();
            three().run(() -> {
                Cores cores = Cores.current();
                for (int i = 0; i < 300; i++)
                    cores.submitTo(i % 3, () -> {
                                suspend();
                                ran.incrementAndGet();
                            })
                            .ignore();
            });
            assertThat(ran).hasValue(900);
        });
    }

    @Test
    void coreWhoseBodyHasReturned_servesTheOthers() {
        Threads.run(() -> {
            three().run(() -> {
                Cores cores = Cores.current();
                if (cores.index() != 2) return;
                delay(Duration.ofHours(1));
                for (int i = 0; i < 1_000; i++) {
                    int number = i;
                    assertThat(cores.on(i % 2, () -> Cores.current().index() + number))
                            .isEqualTo(i % 2 + i);
                }
            });
        });
    }

    @Tag("sized")
    @Test
    void coresThatCallEachOtherAllTheTime_getTheirAnswers() {
        int calls = Depth.of(50, 200);
        Threads.run(() -> {
            List<Integer> sums = three().run(() -> {
                Cores cores = Cores.current();
                var sum = new int[1];
                var callers = new ArrayList<Coroutine<?>>();
                for (int c = 0; c < 20; c++) {
                    callers.add(spawn(() -> {
                        for (int i = 0; i < calls; i++) {
                            int number = i;
                            int answer = cores.onOwnerOf(i, () -> {
                                if (number % 3 == 0) suspend();
                                return cores.on((Cores.current().index() + 1) % 3, () -> number);
                            });
                            sum[0] += answer;
                        }
                    }));
                }
                callers.forEach(Async::await);
                return sum[0];
            });
            assertThat(sums).containsOnly(20 * (calls - 1) * calls / 2);
        });
    }

    // ---- keys, values, all of them

    @Test
    void keys_haveAnOwnerThatStaysTheSameAndAreSpread() {
        Threads.run(() -> {
            var owners = new CopyOnWriteArrayList<List<Integer>>();
            for (int i = 0; i < 2; i++) {
                three().run(() -> {
                    Cores cores = Cores.current();
                    var mine = new ArrayList<Integer>();
                    for (int key = 0; key < 3_000; key++) mine.add(cores.ownerOf("key " + key));
                    for (int key = 0; key < 3_000; key++) mine.add(cores.ownerOf(key));
                    owners.add(mine);
                });
            }
            assertThat(owners).hasSize(6).containsOnly(owners.getFirst());
            for (int core = 0; core < 3; core++) {
                int index = core;
                assertThat(owners.getFirst().subList(0, 3_000).stream().filter(o -> o == index))
                        .hasSizeBetween(800, 1_200);
                assertThat(owners.getFirst().subList(3_000, 6_000).stream().filter(o -> o == index))
                        .hasSizeBetween(800, 1_200);
            }
        });
    }

    @Test
    void valueOfAKey_isChangedOnItsOwnCoreOnly() {
        Threads.run(() -> {
            PerCore<HashMap<Integer, Integer>> counts = PerCore.of(HashMap::new);
            List<Integer> totals = three().run(() -> {
                Cores cores = Cores.current();
                for (int i = 0; i < 300; i++) {
                    int key = i % 30;
                    int owner = cores.onOwnerOf(key, () -> {
                        counts.get().merge(key, 1, Integer::sum);
                        return cores.index();
                    });
                    assertThat(owner).isEqualTo(cores.ownerOf(key));
                }
                return 0;
            });
            assertThat(totals).hasSize(3);
            List<Integer> keys = three().run(() -> counts.get().size());
            assertThat(keys).as("a new run begins with new values").containsOnly(0);
        });
    }

    @Test
    void reduce_joinsTheValuesInTheOrderOfTheCores() {
        Threads.run(() -> {
            var made = new AtomicInteger();
            PerCore<StringBuilder> text = PerCore.of(() -> {
                made.incrementAndGet();
                return new StringBuilder();
            });
            three().run(() -> {
                Cores cores = Cores.current();
                text.get().append(cores.index());
                assertThat(text.get()).isSameAs(text.get());
                if (cores.index() != 1) return;
                cores.onAll(() -> text.get().append('.'));
                // on the others the call may come before their own beginning, and that after it
                assertThat(text.reduce(StringBuilder::toString, String::concat))
                        .matches("(0\\.|\\.0?)1\\.(2\\.|\\.2?)");
                assertThat(cores.reduce(cores::index, Integer::sum)).isEqualTo(3);
                assertThat(text.all(StringBuilder::length)).hasSize(3);
            });
            assertThat(made).hasValue(3);
        });
    }

    @Test
    void errorOfOneCore_isWhatOnAllThrows() {
        Threads.run(() -> three().run(() -> {
            Cores cores = Cores.current();
            if (cores.index() != 0) return;
            assertThatThrownBy(() -> cores.onAll(() -> {
                        if (cores.index() == 2) throw new IllegalStateException("core 2");
                        delay(Duration.ofDays(1));
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("core 2");
        }));
    }

    // ---- misuse

    @Test
    void misuse_isRefused() {
        Threads.run(() -> {
            assertThatThrownBy(Cores::current)
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("outside of Cores.Builder.run");
            assertThatThrownBy(() -> PerCore.of(() -> 1).get())
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("outside of Cores.Builder.run");
            assertThatThrownBy(() -> Cores.builder().count(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("count must be >= 1, got 0");
            var kept = new CopyOnWriteArrayList<Cores>();
            three().run(() -> {
                Cores cores = Cores.current();
                kept.add(cores);
                assertThatThrownBy(() -> cores.on(3, () -> 1)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> cores.submitTo(-1, () -> 1)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> Cores.builder().run(() -> {}))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("is core " + cores.index() + " of 3 already");
            });
            Cores old = kept.getFirst();
            assertThat(old.count()).isEqualTo(3);
            assertThatThrownBy(old::index).isInstanceOf(AsyncException.class);
            three().run(() -> {
                assertThatThrownBy(() -> old.on(0, () -> 1))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("not the ones of this runtime");
            });
        });
        assertThatThrownBy(() -> Cores.builder().run(() -> {})).isInstanceOf(AsyncException.class);
    }
}
