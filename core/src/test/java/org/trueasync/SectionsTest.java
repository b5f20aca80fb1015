package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Sections that run in the caller let through what they throw, as it is; the compiler knows it. */
class SectionsTest {
    private final List<String> log = new ArrayList<>();

    private int reads() throws IOException {
        throw new IOException("read");
    }

    private int overloaded() {
        return 1;
    }

    @SuppressWarnings("unused") // it makes a reference to the other one ambiguous
    private int overloaded(int x) {
        return x;
    }

    /** Declares nothing: what throws nothing checked needs no catch. */
    private static int plain(Mutex mutex, Semaphore semaphore, Pool<String> pool, GuardedCalls calls) {
        protect(() -> {});
        mutex.withLock(() -> {});
        semaphore.withPermit(() -> {});
        calls.call(() -> {});
        String text = Output.capture(() -> System.out.print("abc"));
        int length = pool.use(resource -> resource.length());
        return protect(
                () -> mutex.withLock(() -> semaphore.withPermit(() -> calls.call(() -> length + text.length()))));
    }

    @Test
    void sectionsThatThrowNothing_needNoCatch() {
        TestRuntime.run(() -> {
            try (var pool = Pool.of(() -> "four").build()) {
                var calls = new GuardedCalls("calls", RecoveryStrategy.consecutiveFailures(1));
                assertThat(plain(new Mutex(), new Semaphore(1), pool, calls)).isEqualTo(7);
            }
        });
    }

    /** Declares just what the innermost section throws, through all the others. */
    private int nested(Mutex mutex, Semaphore semaphore, GuardedCalls calls) throws FileNotFoundException {
        return protect(() -> mutex.withLock(() -> semaphore.withPermit(() -> calls.call(() -> {
            if (log.isEmpty()) throw new FileNotFoundException("innermost");
            return 1;
        }))));
    }

    @Test
    void checkedException_passesThroughAllSectionsAsItIs() {
        TestRuntime.run(() -> {
            var mutex = new Mutex();
            var semaphore = new Semaphore(1);
            var calls = new GuardedCalls("calls", RecoveryStrategy.consecutiveFailures(1));
            assertThatThrownBy(() -> nested(mutex, semaphore, calls))
                    .isExactlyInstanceOf(FileNotFoundException.class)
                    .hasMessage("innermost");
            assertThat(mutex.isLocked()).isFalse();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            assertThat(calls.state()).isEqualTo(CircuitBreakerState.INACTIVE);
        });
    }

    @Test
    void eachSection_throwsTheVeryObject() {
        TestRuntime.run(() -> {
            var thrown = new IOException("it");
            var mutex = new Mutex();
            var semaphore = new Semaphore(1);
            var calls = new GuardedCalls("calls", RecoveryStrategy.consecutiveFailures(9));
            try (var pool = Pool.of(() -> "resource").build()) {
                List<Body> sections = List.of(
                        () -> protect(() -> {
                            throw thrown;
                        }),
                        () -> mutex.withLock(() -> {
                            throw thrown;
                        }),
                        () -> semaphore.withPermit(() -> {
                            throw thrown;
                        }),
                        () -> calls.call(() -> {
                            throw thrown;
                        }),
                        () -> Output.capture(() -> {
                            throw thrown;
                        }),
                        () -> pool.use(resource -> {
                            throw thrown;
                        }));
                for (Body section : sections) assertThatThrownBy(section::run).isSameAs(thrown);
                assertThat(pool.activeCount()).isZero();
                assertThat(mutex.isLocked()).isFalse();
                assertThat(semaphore.availablePermits()).isEqualTo(1);
                assertThat(thrown.getSuppressed()).isEmpty();
            }
        });
    }

    @Test
    void kindsOfExceptions_areCaughtAsWhatTheyAre() {
        TestRuntime.run(() -> {
            var mutex = new Mutex();
            try {
                int never = mutex.withLock(() -> {
                    if (log.isEmpty()) throw new SQLException("sql");
                    return 1;
                });
                log.add("not reached " + never);
            } catch (SQLException e) {
                log.add(e.getMessage());
            }
            try {
                protect(this::reads);
            } catch (IOException e) {
                log.add(e.getMessage());
            }
            int one = protect(this::overloaded);
            assertThat(one).isEqualTo(1);
            assertThat(log).containsExactly("sql", "read");
        });
    }

    @Test
    void sectionInAVariable_declaresWhatItsTypeDeclares() {
        TestRuntime.run(() -> {
            Callable<Integer> callable = () -> {
                throw new IOException("callable");
            };
            Body body = () -> {
                throw new Throwable("body");
            };
            PoolFunction<String, Integer> function = resource -> {
                throw new IOException(resource);
            };
            assertThatThrownBy(() -> protect(callable::call)).isExactlyInstanceOf(IOException.class);
            assertThatThrownBy(() -> new Mutex().withLock(callable::call)).isExactlyInstanceOf(IOException.class);
            assertThatThrownBy(() -> protect(body::run)).isExactlyInstanceOf(Throwable.class);
            assertThatThrownBy(() -> new Semaphore(1).withPermit(body::run)).isExactlyInstanceOf(Throwable.class);
            assertThatThrownBy(() -> Output.capture(body::run)).isExactlyInstanceOf(Throwable.class);
            try (var pool = Pool.of(() -> "function").build()) {
                assertThatThrownBy(() -> pool.use(function))
                        .isExactlyInstanceOf(IOException.class)
                        .hasMessage("function");
            }
        });
    }

    private static void closes(StringBuilder resource) throws IOException {
        resource.append(" closed");
        if (resource.length() > 20) throw new IOException(resource.toString());
    }

    /** Lambdas in braces and references choose by whether they have a value. */
    @Test
    void workWithAResource_mayHaveNoValue() {
        TestRuntime.run(() -> {
            try (var pool = Pool.of(() -> new StringBuilder("one")).max(1).build()) {
                pool.use(resource -> {
                    resource.append(" appended");
                });
                int length = pool.use(resource -> {
                    return resource.length();
                });
                assertThat(length).isEqualTo("one appended".length());
                String text = pool.use(resource -> resource.toString());
                assertThat(text).isEqualTo("one appended");
                pool.use(resource -> resource.append(""));
                int byReference = pool.use(StringBuilder::length);
                assertThat(byReference).isEqualTo(length);
                pool.use(SectionsTest::closes);
                assertThatThrownBy(() -> pool.use(SectionsTest::closes)).isExactlyInstanceOf(IOException.class);
                VoidPoolSection<StringBuilder, IOException> inAVariable = SectionsTest::closes;
                assertThatThrownBy(() -> pool.use(inAVariable)).isExactlyInstanceOf(IOException.class);
                assertThatThrownBy(() -> pool.use(null)).isInstanceOf(NullPointerException.class);
                assertThat(pool.idleCount()).as("given back each time").isEqualTo(1);
            }
        });
    }

    @Test
    void whatCrossesFromOneCoroutineToAnother_isWrappedAsBefore() {
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> protect(() -> {
                throw new IOException("crosses");
            }));
            assertThatThrownBy(failing::await)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IOException.class);
            assertThat(failing.exception()).isExactlyInstanceOf(IOException.class);
        });
    }

    @Test
    void cancellationThatWaited_carriesTheSectionsErrorAsItWas() {
        TestRuntime.run(() -> {
            var thrown = new IOException("while cancelled");
            Coroutine<?> coroutine = spawn(() -> {
                try {
                    protect(() -> {
                        delay(5);
                        throw thrown;
                    });
                } catch (AsyncCancellation e) {
                    assertThat(e.getSuppressed()).containsExactly(thrown);
                    log.add("cancelled");
                    throw e;
                }
            });
            suspend();
            coroutine.cancel("outside");
            assertThatThrownBy(coroutine::await).hasMessage("outside");
            assertThat(log).containsExactly("cancelled");
        });
    }
}
