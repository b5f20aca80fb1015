package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.io.Runs.runClean;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.Coroutine;
import org.trueasync.ThreadPool;

/** Each core on one processor, and what it starts on all. Linux. */
class PinnedCoresTest {
    private static final int THREADS = 20;
    private static final Path STATUS = Path.of("/proc/thread-self/status");

    @BeforeEach
    void requireLinux() {
        assumeTrue(Files.exists(STATUS), "not Linux");
    }

    /** As the system writes it: {@code 0-3}. */
    private static String processors() throws Exception {
        return processors(Files.readString(STATUS));
    }

    private static String processors(String status) {
        return status.lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".*:\\s*", "");
    }

    private static List<Integer> numbers(String list) {
        var numbers = new ArrayList<Integer>();
        for (String part : list.split(",")) {
            String[] ends = part.split("-");
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) numbers.add(i);
        }
        return numbers;
    }

    @Test
    void eachCore_hasOneOfTheProcessors_inTurn() throws Exception {
        List<Integer> all = numbers(processors());
        int count = all.size() + 1;
        runClean(() -> {
            List<String> own = Cores.builder().count(count).pinned().run(() -> processors());
            for (int i = 0; i < count; i++) assertThat(own.get(i)).isEqualTo("" + all.get(i % all.size()));
        });
    }

    @Test
    void afterwards_theThreadHasItsProcessorsBack() throws Exception {
        String before = processors();
        runClean(() -> {
            Cores.builder().count(2).pinned().run(() -> {});
            assertThat(processors()).isEqualTo(before);
            try {
                Cores.builder().count(2).pinned().run(() -> {
                    throw new IllegalStateException("expected");
                });
            } catch (IllegalStateException expected) {
                assertThat(processors()).isEqualTo(before);
            }
        });
        assertThat(processors()).isEqualTo(before);
    }

    /** A run on a thread that has inherited one processor, and which pins too, says nothing of others. */
    @Test
    void threadsThatBeginLater_keepTheProcessorsOfTheirStarter() throws Exception {
        String before = processors();
        runClean(() -> {
            Cores.builder().count(1).pinned().run(() -> {
                Thread inner = Thread.ofPlatform()
                        .start(() ->
                                runClean(() -> Cores.builder().count(2).pinned().run(() -> {})));
                Async.blocking(() -> inner.join());
                assertThat(ofHelperThreads(2 * THREADS)).containsOnly(before);
            });
            assertThat(Async.await(Async.spawnThread(() -> processors()))).isEqualTo(before);
        });
    }

    @Test
    void withoutIt_coresKeepTheProcessors() throws Exception {
        String before = processors();
        runClean(() ->
                assertThat(Cores.builder().count(2).run(() -> processors())).containsOnly(before));
    }

    /** More at once than have been started before. */
    private static List<String> ofHelperThreads(int count) {
        var begun = new CountDownLatch(count);
        var calls = new ArrayList<Coroutine<String>>();
        for (int i = 0; i < count; i++)
            calls.add(Async.spawn(() -> Async.blocking(() -> {
                begun.countDown();
                begun.await();
                return processors();
            })));
        return Async.awaitAllOrFail(calls);
    }

    @Test
    void whatACoreStarts_mayRunEverywhere() throws Exception {
        String before = processors();
        int processors = Async.availableParallelism();
        runClean(() -> {
            Cores.builder().count(2).pinned().run(() -> {
                assertThat(ofHelperThreads(THREADS)).containsOnly(before);
                try (ThreadPool pool = new ThreadPool(1)) {
                    assertThat(Async.await(pool.submit(() -> processors()))).isEqualTo(before);
                }
                assertThat(processors(Exec.of("cat", "/proc/self/status").run().outText()))
                        .isEqualTo(before);
                assertThat(numbers(processors())).as("its own").hasSize(1);
                assertThat(Async.availableParallelism()).isEqualTo(processors);
            });
        });
    }
}
