package org.trueasync.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;

class HandlesTest {
    @BeforeEach
    void runBegins() {
        Handles.runBegins();
    }

    @AfterEach
    void runEnds() {
        Handles.runEnds();
    }

    @Test
    void manyThreadsAtOnce_eachActionRunsOnce() throws InterruptedException {
        var cleaned = new AtomicInteger();
        var dropped = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    var handle = new Object();
                    Handles.Watch watch = Handles.whenUnreachable(handle, cleaned::incrementAndGet);
                    watch.clean();
                    watch.clean();
                    Reference.reachabilityFence(handle);
                    Handles.whenUnreachable(new Object(), dropped::incrementAndGet);
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        assertThat(cleaned).hasValue(40_000);
        while (dropped.get() < 40_000) Garbage.collect();
        assertThat(dropped).hasValue(40_000);
        assertThat(cleaned).hasValue(40_000);
    }

    @Test
    void actionThatThrows_isReportedAndTheNextOnesRun() {
        var ran = new AtomicInteger();
        var reported = new AtomicInteger();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            assertThat(e).hasMessage("as planned");
            reported.incrementAndGet();
        });
        try {
            Handles.whenUnreachable(new Object(), () -> {
                throw new IllegalStateException("as planned");
            });
            Handles.whenUnreachable(new Object(), ran::incrementAndGet);
            while (ran.get() == 0 || reported.get() == 0) Garbage.collect();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void handleThatIsHeld_isLeftAlone() {
        var ran = new AtomicInteger();
        var held = new Object();
        Handles.whenUnreachable(held, ran::incrementAndGet);
        for (int i = 0; i < 3; i++) System.gc();
        assertThat(ran).hasValue(0);
        Reference.reachabilityFence(held);
    }
}
