package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.blocking;
import static org.trueasync.clients.Waits.onLoop;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Pool;
import org.trueasync.internal.testkit.Nightly;
import org.trueasync.internal.testkit.Resources;
import org.trueasync.internal.testkit.WritersUnderKills;
import org.trueasync.internal.testkit.Writes;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Redis that writes before it answers is killed with SIGKILL and starts anew, again and again, while many coroutines
 * write by Jedis through one pool of ours. What was acknowledged is there once, a transaction as a whole. The pool
 * recovers by itself, within a minute; nothing is left over.
 */
class KillsNightly {
    private static final int LONGEST_ABSENCE_MILLIS = 300;
    /** What each write adds one to, in a hash each. */
    private static final String[] PARTS = {"part 1", "part 2"};

    private final Random random = new Random(Long.getLong("trueasync.nightly.seed", System.nanoTime()));
    private final Writes writes = new Writes();
    private @Nullable Resources early;

    @Test
    @Timeout(7_200)
    void killedRedis_whatWasAcknowledgedIsThereOnce_andThePoolRecovers() throws Exception {
        ServerProcess server = Servers.durableRedis();
        onLoop(() -> {
            try (Pool<Jedis> pool = Pool.of(() -> connect(server))
                    .destructor(Jedis::close)
                    .beforeAcquire(redis -> redis.ping() != null)
                    .beforeRelease(redis -> !redis.isBroken())
                    .max(WritersUnderKills.CONNECTIONS)
                    .build()) {
                var writers = new WritersUnderKills(pool, () -> write(pool), random);
                early = Nightly.repeat(4, () -> {
                    writers.round(() -> kill(server));
                    assertThat(writes.compare(pool.use(KillsNightly::found))).isEmpty();
                });
                Nightly.figure("kills of Redis", writers.figures(writes));
            }
        });
        if (early != null) Resources.now().requireNoMoreThan(early);
    }

    private static Jedis connect(ServerProcess server) {
        var redis = new Jedis("127.0.0.1", server.port, 30_000);
        redis.connect();
        return redis;
    }

    private void kill(ServerProcess server) throws Exception {
        int absence = random.nextInt(LONGEST_ABSENCE_MILLIS);
        blocking(() -> {
            server.kill();
            Thread.sleep(absence);
            server.start();
        });
    }

    private static Map<Long, Integer> found(Jedis redis) {
        Map<Long, Integer> found = new HashMap<>();
        Map<String, String> other = redis.hgetAll(PARTS[1]);
        redis.hgetAll(PARTS[0]).forEach((write, times) -> {
            boolean isWhole = Objects.equals(other.remove(write), times);
            found.put(Long.parseLong(write), isWhole ? Integer.parseInt(times) : -1);
        });
        for (String write : other.keySet()) found.put(Long.parseLong(write), -1);
        redis.flushAll();
        return found;
    }

    /** What a Redis says while it reads what it has written; of a transaction, that it won't be done. */
    private static boolean isLoading(JedisException e) {
        return e instanceof JedisDataException && e.getMessage().matches("(?s)(LOADING|EXECABORT).*");
    }

    private boolean write(Pool<Jedis> pool) throws Exception {
        try {
            pool.use(this::increment);
            return true;
        } catch (JedisException e) {
            if (!(e instanceof JedisConnectionException) && !isLoading(e)) throw e;
            return false;
        }
    }

    private void increment(Jedis redis) {
        long write = writes.begin();
        try (var transaction = redis.multi()) {
            for (String part : PARTS) transaction.hincrBy(part, Long.toString(write), 1);
            transaction.exec();
        } catch (JedisException e) {
            if (isLoading(e)) writes.refused(write);
            else writes.unknown(write);
            throw e;
        }
        writes.acknowledged(write);
    }
}
