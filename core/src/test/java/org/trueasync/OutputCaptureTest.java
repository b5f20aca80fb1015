package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class OutputCaptureTest {
    private PrintStream original;
    private ByteArrayOutputStream printed;

    @BeforeEach
    void replaceStandardOutput() {
        original = System.out;
        printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveStandardOutputBack() {
        System.setOut(original);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void capture_returnsWhatTheBodyPrinted() {
        TestRuntime.run(() -> {
            System.out.print("before ");
            assertThat(Output.capture(() -> {
                        System.out.print("inside é");
                        System.out.flush();
                    }))
                    .isEqualTo("inside é");
            System.out.print("after");
        });
        assertThat(printed()).isEqualTo("before after");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void singleBytes_goWhereTheyAreWritten() {
        TestRuntime.run(() -> {
            var captured = spawn(() -> Output.capture(() -> {
                System.out.write('a');
                suspend();
                System.out.println("b");
            }));
            suspend();
            System.out.write('c');
            System.out.print("d");
            assertThat(await(captured)).isEqualTo("ab" + System.lineSeparator());
        });
        assertThat(printed()).isEqualTo("cd");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void switchDuringACapture_mixesNothing() {
        var captured = new ArrayList<String>();
        TestRuntime.run(() -> {
            for (String name : new String[] {"a", "b"}) {
                spawn(() -> captured.add(Output.capture(() -> {
                    for (int i = 0; i < 3; i++) {
                        System.out.print(name + i + " ");
                        suspend();
                    }
                    delay(1);
                    System.out.print(name + " ends");
                })));
            }
            spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    System.out.print("plain" + i + " ");
                    suspend();
                }
            });
        });
        assertThat(captured).containsExactly("a0 a1 a2 a ends", "b0 b1 b2 b ends");
        assertThat(printed()).isEqualTo("plain0 plain1 plain2 ");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void foreignBlockingDuringACapture_mixesNothing() {
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Void>();
            spawn(() -> {
                System.out.print("peer");
                gate.complete(null);
            });
            assertThat(Output.capture(() -> {
                        System.out.print("one ");
                        gate.join();
                        System.out.print("two");
                    }))
                    .isEqualTo("one two");
        });
        assertThat(printed()).isEqualTo("peer");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void threadYieldDuringACapture_mixesNothing() {
        TestRuntime.run(() -> {
            spawn(() -> System.out.print("peer"));
            assertThat(Output.capture(() -> {
                        System.out.print("one ");
                        Thread.yield();
                        System.out.print("two");
                    }))
                    .isEqualTo("one two");
        });
        assertThat(printed()).isEqualTo("peer");
    }

    @Test
    @Tag("F78")
    void manyCapturesSwitchedAtRandom_mixNothing() {
        for (int seed = 0; seed < 10; seed++) {
            var random = new Random(seed);
            TestRuntime.run(() -> {
                var captures = new ArrayList<Coroutine<String>>();
                for (int i = 0; i < 50; i++) {
                    String name = "<" + i + ">";
                    captures.add(spawn(() -> Output.capture(() -> {
                        for (int k = 0; k < 20; k++) {
                            System.out.print(name);
                            switch (random.nextInt(4)) {
                                case 0 -> Async.suspend();
                                case 1 -> Async.delay(random.nextInt(3));
                                case 2 -> Thread.yield();
                                default -> {
                                    // goes on printing
                                }
                            }
                        }
                    })));
                }
                for (int i = 0; i < 50; i++) assertThat(await(captures.get(i))).isEqualTo(("<" + i + ">").repeat(20));
            });
        }
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void nestedCaptures_endInnermostFirst() {
        TestRuntime.run(() -> {
            spawn(() -> System.out.print("peer "));
            var inner = new String[1];
            String outer = Output.capture(() -> {
                System.out.print("outer1 ");
                inner[0] = Output.capture(() -> {
                    System.out.print("inner1 ");
                    delay(1);
                    System.out.print("inner2");
                });
                System.out.print("outer2 ");
                delay(1);
                System.out.print("outer3");
            });
            assertThat(inner[0]).isEqualTo("inner1 inner2");
            assertThat(outer).isEqualTo("outer1 outer2 outer3");
            System.out.print("main");
        });
        assertThat(printed()).isEqualTo("peer main");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void childOfACapturingCoroutine_inheritsNothing() {
        TestRuntime.run(() -> assertThat(Output.capture(() -> {
                    System.out.print("parent");
                    await(spawn(() -> System.out.print("child")));
                }))
                .isEqualTo("parent"));
        assertThat(printed()).isEqualTo("child");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void bodyThatThrows_endsTheCaptureAndTheErrorPasses() {
        var error = new IllegalStateException("expected");
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> Output.capture(() -> {
                        System.out.print("lost");
                        throw error;
                    }))
                    .isSameAs(error);
            System.out.print("printed");
            suspend();
            delay(1);
            System.out.print(" again");
        });
        assertThat(printed()).isEqualTo("printed again");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void cancelledCapture_endsTheCapture() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                try {
                    Output.capture(() -> {
                        System.out.print("lost");
                        delay(1_000);
                    });
                } finally {
                    System.out.print("finally");
                }
            });
            suspend();
            c.cancel();
            suspend();
            System.out.print(" main");
        });
        assertThat(printed()).isEqualTo("finally main");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void nextCoroutineOnTheSameStack_isNotCaptured() {
        TestRuntime.run(() -> {
            spawn(() -> Output.capture(() -> System.out.print("captured")));
            spawn(() -> System.out.print("printed"));
        });
        assertThat(printed()).isEqualTo("printed");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void otherThreads_areNotCaptured() {
        TestRuntime.run(() -> assertThat(Output.capture(() -> {
                    var other = new Thread(() -> System.out.print("other"));
                    other.start();
                    other.join();
                    System.out.print("mine");
                }))
                .isEqualTo("mine"));
        assertThat(printed()).isEqualTo("other");
    }

    @Test
    @Tag("U1")
    @Tag("F78")
    void outsideACoroutine_isRefused() {
        assertThatThrownBy(() -> Output.capture(() -> {})).isInstanceOf(AsyncException.class);
    }
}
