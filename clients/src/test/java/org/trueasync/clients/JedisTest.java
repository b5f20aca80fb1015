package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.clients.Waits.onLoop;
import static org.trueasync.clients.Waits.until;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.Pool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;

/** Redis through Jedis, which blocks in Java sockets. */
@Timeout(100)
class JedisTest {
    /** The time limit for an answer; Jedis's own is two seconds. */
    private static final int TIME_LIMIT_MILLIS = 60_000;

    private static int port;

    @BeforeAll
    @Timeout(400)
    static void server() {
        port = Servers.redis();
    }

    private static Jedis connect() {
        return new Jedis("127.0.0.1", port, TIME_LIMIT_MILLIS);
    }

    @BeforeEach
    void empty() {
        try (var redis = connect()) {
            redis.flushAll();
        }
    }

    private static Pool<Jedis> pool(int max) {
        return Pool.of(JedisTest::connect)
                .destructor(Jedis::close)
                .beforeRelease(redis -> !redis.isBroken())
                .max(max)
                .build();
    }

    /** True if the server counts this many clients in blocking commands. */
    private static boolean isBlocked(Jedis redis, int clients) {
        return redis.info("clients").contains("blocked_clients:" + clients + "\r");
    }

    @Test
    void fiftyCoroutinesOverTenConnections_rightAnswers() {
        onLoop(() -> {
            try (var pool = pool(10)) {
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 50; i++) {
                    String key = "key " + i;
                    all.add(spawn(() -> {
                        for (int k = 0; k < 100; k++) {
                            String value = key + " value " + k;
                            String got = pool.use(redis -> {
                                redis.set(key, value);
                                return redis.get(key);
                            });
                            assertThat(got).isEqualTo(value);
                        }
                    }));
                }
                awaitAllOrFail(all);
                assertThat(pool.count()).isLessThanOrEqualTo(10);
            }
        });
    }

    @Test
    void jedisOwnPool_servesCoroutinesToo() {
        onLoop(() -> {
            // Without a limit, and with fewer connections than callers, its waits are a loop that never gives the loop
            // away.
            var settings = new ConnectionPoolConfig();
            settings.setMaxTotal(50);
            settings.setMaxWait(Duration.ofSeconds(30));
            try (var redis = RedisClient.builder()
                    .hostAndPort("127.0.0.1", port)
                    .poolConfig(settings)
                    .clientConfig(DefaultJedisClientConfig.builder()
                            .timeoutMillis(TIME_LIMIT_MILLIS)
                            .build())
                    .build()) {
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 50; i++)
                    all.add(spawn(() -> {
                        for (int k = 0; k < 100; k++) redis.incr("count");
                    }));
                awaitAllOrFail(all);
                assertThat(redis.get("count")).isEqualTo("5000");
            }
        });
    }

    @Test
    void oneWaitsInBlpop_othersGoOn() {
        onLoop(() -> {
            try (var pool = pool(3)) {
                var order = new ArrayList<String>();
                var waiting = spawn(() -> {
                    order.add(pool.use(redis -> redis.blpop(0, "queue").get(1)));
                });
                pool.use(redis -> {
                    until(() -> isBlocked(redis, 1));
                    for (int i = 0; i < 3; i++) order.add(redis.ping());
                    return redis.rpush("queue", "job");
                });
                await(waiting);
                assertThat(order).containsExactly("PONG", "PONG", "PONG", "job");
            }
        });
    }

    @Test
    void cancelledInBlpop_endsAtOnceAndItsConnectionIsReplaced() {
        onLoop(() -> {
            try (var pool = pool(2)) {
                var waiting = spawn(() -> pool.use(redis -> redis.blpop(0, "queue")));
                pool.use(redis -> {
                    until(() -> isBlocked(redis, 1));
                    waiting.cancel();
                    assertThatThrownBy(() -> await(waiting)).isInstanceOf(AsyncCancellation.class);
                    until(() -> isBlocked(redis, 0));
                    // nobody who has gone takes it
                    redis.rpush("queue", "job");
                    return redis.llen("queue");
                });
                assertThat(pool.stats().destroyed()).isEqualTo(1);
                String job = pool.use(redis -> redis.lpop("queue"));
                assertThat(job).isEqualTo("job");
                assertThatThrownBy(() ->
                                withTimeout(Duration.ofMillis(30), () -> pool.use(redis -> redis.blpop(0, "queue"))))
                        .isInstanceOf(AsyncTimeoutException.class);
            }
        });
    }
}
