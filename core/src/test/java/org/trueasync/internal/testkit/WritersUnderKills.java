package org.trueasync.internal.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.Pool;

/** Many coroutines that write to a server through one pool, while it is killed again and again. Of one run. */
public final class WritersUnderKills {
    /** How many connections the pool may have; the writers are many more. */
    public static final int CONNECTIONS = 10;
    /** After a kill, all have to write again within this time. */
    public static final Duration RECOVERS = Duration.ofSeconds(60);

    private static final int WRITERS = 120;
    private static final int LONGEST_PEACE_MILLIS = 600;

    /** Tries one write. */
    @FunctionalInterface
    public interface Attempt {
        /** @return false if it has failed as the server was away */
        boolean write() throws Exception;
    }

    /** Kills the server. */
    @FunctionalInterface
    public interface Kill {
        /** Returns when it is there again. */
        void run() throws Exception;
    }

    private final Pool<?> pool;
    private final Attempt attempt;
    private final Random random;
    private int kills;
    private long longestRecovery;

    public WritersUnderKills(Pool<?> pool, Attempt attempt, Random random) {
        this.pool = pool;
        this.attempt = attempt;
        this.random = random;
    }

    /** Kills the server once, waits until all write again, and ends them. The pool is at rest then. */
    public void round(Kill kill) throws Exception {
        List<Writer> writers = Stream.generate(Writer::new).limit(WRITERS).toList();
        var running = new ArrayList<Coroutine<?>>();
        for (Writer writer : writers) running.add(spawn(writer::run));
        delay(random.nextInt(LONGEST_PEACE_MILLIS));
        kill.run();
        kills++;
        long back = System.nanoTime();
        for (Writer writer : writers) writer.successes = 0;
        try {
            withTimeout(RECOVERS, () -> {
                for (Writer writer : writers) while (writer.successes == 0) delay(1);
            });
        } catch (AsyncTimeoutException e) {
            throw new AssertionError("the pool has not recovered: " + pool.stats() + "\n" + dump(), e);
        }
        longestRecovery = Math.max(longestRecovery, (System.nanoTime() - back) / 1_000_000);
        for (Writer writer : writers) writer.isOver = true;
        awaitAllOrFail(running);
        assertThat(pool.activeCount()).isZero();
        assertThat(pool.count()).isLessThanOrEqualTo(CONNECTIONS);
        assertThat(coroutines()).hasSize(1);
    }

    /** The figures of all rounds, with what became of the writes. */
    public String figures(Writes writes) {
        return "%,d kills; %s; all %d coroutines wrote again within %,d ms"
                .formatted(kills, writes, WRITERS, longestRecovery);
    }

    /** Writes one thing after another. */
    private final class Writer {
        private int successes;
        private boolean isOver;

        void run() throws Exception {
            while (!isOver) {
                if (attempt.write()) {
                    successes++;
                    delay(random.nextInt(10));
                } else {
                    delay(5 + random.nextInt(20));
                }
            }
        }
    }
}
