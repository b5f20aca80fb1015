package org.trueasync.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import com.sun.management.ThreadMXBean;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.trueasync.Async;
import org.trueasync.internal.context.RegisteredThreadLocals;
import org.trueasync.spi.ContextPropagator;

/** A thread local that a program has registered: from whoever starts something, at that moment. */
class RegisteredThreadLocalsTest {
    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    private final ContextRegistry registry = ContextRegistry.getInstance();

    @BeforeEach
    void register() {
        registry.registerThreadLocalAccessor("tenant", TENANT);
    }

    @AfterEach
    void forget() {
        registry.removeThreadLocalAccessor("tenant");
        TENANT.remove();
    }

    private static String seen() {
        return Objects.requireNonNullElse(TENANT.get(), "none");
    }

    @Test
    void everyDoor_takesTheValueAlongAndLeavesNothing() {
        Doors.check(RegisteredThreadLocalsTest::seen, TENANT::set, value -> TENANT.remove());
    }

    @Test
    void valueAtTheMomentOfTheSpawn_counts() {
        Async.run(() -> {
            TENANT.set("then");
            var child = spawn(() -> {
                String before = seen();
                TENANT.set("its own");
                Async.delay(1);
                return before + ", " + seen();
            });
            TENANT.set("later");
            assertThat(await(child)).isEqualTo("then, its own");
            assertThat(seen()).isEqualTo("later");
        });
    }

    @Test
    void valuesFromOutside_reachMainAndTasks() {
        var runtime = Async.runtime().build();
        TENANT.set("who submits");
        CompletableFuture<String> early = runtime.submit(RegisteredThreadLocalsTest::seen);
        TENANT.set("who runs");
        runtime.run(() -> {
            assertThat(seen()).isEqualTo("who runs");
            assertThat(await(early)).isEqualTo("who submits");
            Executor executor = Async.executor();
            var seen = new CompletableFuture<String>();
            Thread other = Thread.ofPlatform().start(() -> {
                TENANT.set("of the other");
                executor.execute(() -> seen.complete(seen()));
            });
            assertThat(await(seen)).isEqualTo("of the other");
            other.join();
        });
        assertThat(seen()).isEqualTo("who runs");
    }

    @Test
    void whatATaskSetsOnAHelperThread_isNotLeftThere() {
        Async.run(() -> {
            for (int i = 0; i < 3; i++) {
                assertThat(Async.blocking(() -> {
                            String before = seen();
                            TENANT.set("left behind");
                            return before;
                        }))
                        .isEqualTo("none");
            }
        });
    }

    // ---- errors

    private void registerFailing(String when) {
        registry.removeThreadLocalAccessor("tenant");
        registry.registerThreadLocalAccessor(
                "tenant",
                () -> {
                    if (when.equals("capture")) throw new IllegalStateException(when);
                    return TENANT.get();
                },
                value -> {
                    if (when.equals("give")) throw new IllegalStateException(when);
                    TENANT.set(value);
                },
                () -> {
                    if (when.equals("take back")) throw new IllegalStateException(when);
                    TENANT.remove();
                });
    }

    @Test
    void captureThatThrows_failsWhatWouldHaveStarted() {
        Async.run(() -> {
            Executor executor = Async.executor();
            registerFailing("capture");
            assertThatThrownBy(() -> spawn(() -> {})).hasMessage("capture");
            assertThatThrownBy(() -> executor.execute(() -> {})).hasMessage("capture");
            assertThatThrownBy(() -> Async.blocking(() -> {})).hasMessage("capture");
            register();
            assertThat(await(spawn(() -> 7))).isEqualTo(7);
        });
    }

    @Test
    void givingThatThrows_failsTheTask() {
        Async.run(() -> {
            registerFailing("give");
            TENANT.set("x");
            assertThatThrownBy(() -> await(spawn(() -> {}))).hasMessage("give");
            assertThatThrownBy(() -> Async.blocking(() -> {})).hasMessage("give");
            TENANT.remove();
            assertThat(await(spawn(RegisteredThreadLocalsTest::seen))).isEqualTo("none");
        });
    }

    @Test
    void takingBackThatThrows_failsTheTaskAndStillLeavesNothing() {
        Async.run(() -> {
            registerFailing("take back");
            TENANT.set("x");
            assertThatThrownBy(() -> Async.blocking(() -> {})).hasMessage("take back");
            assertThatThrownBy(() -> Async.blocking(() -> {
                        throw new IllegalArgumentException("own");
                    }))
                    .hasMessage("own")
                    .satisfies(own -> assertThat(own.getSuppressed()).hasSize(1));
            register();
            TENANT.remove();
            assertThat(Async.blocking(RegisteredThreadLocalsTest::seen)).isEqualTo("none");
        });
    }

    @Test
    void threadWithoutValues_isLookedAtWithoutGarbageOfOurs() {
        var propagator = new RegisteredThreadLocals();
        List<ThreadLocalAccessor<?>> accessors = registry.getThreadLocalAccessors();
        long ofLibraries = bytesOfAThousand(() -> {
            for (int i = 0; i < accessors.size(); i++) accessors.get(i).getValue();
        });
        long all = bytesOfAThousand(() -> {
            if (propagator.capture() != null) throw new AssertionError("something was captured");
        });
        assertThat(all).as("bytes of 1,000 looks").isBetween(ofLibraries - 1_000, ofLibraries + 1_000);
    }

    private static long bytesOfAThousand(Runnable calls) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1_000; i++) calls.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @Test
    void withoutALoggingLibrary_slf4jIsNotAskedSoItDoesNotWarn() throws Exception {
        var urls = new ArrayList<URL>();
        for (Class<?> needed :
                List.of(RegisteredThreadLocals.class, ContextPropagator.class, ContextRegistry.class, MDC.class))
            urls.add(needed.getProtectionDomain().getCodeSource().getLocation());
        var told = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(told, true));
        try (var loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader); // where the registry looks for accessors
            loader.loadClass(RegisteredThreadLocals.class.getName())
                    .getConstructor()
                    .newInstance();
            assertThat(told.toString()).isEmpty();
            loader.loadClass(MDC.class.getName())
                    .getMethod("getCopyOfContextMap")
                    .invoke(null);
            assertThat(told.toString()).contains("No SLF4J providers were found");
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
            System.setErr(before);
        }
    }
}
