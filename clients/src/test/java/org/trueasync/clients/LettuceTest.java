package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.clients.Waits.onLoop;
import static org.trueasync.clients.Waits.until;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;

/** Redis through Lettuce, which has threads of its own and futures. */
@Tag("deep")
@Timeout(100)
class LettuceTest {
    private static String url = "";

    @BeforeAll
    @Timeout(400)
    static void server() {
        url = "redis://127.0.0.1:" + Servers.redis();
    }

    @BeforeEach
    void empty() {
        RedisClient client = RedisClient.create(url);
        client.connect().sync().flushall();
        stop(client);
    }

    private static void stop(RedisClient client) {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    }

    private interface Work {
        void with(RedisClient client, StatefulRedisConnection<String, String> connection) throws Exception;
    }

    private static void connected(Work work) {
        onLoop(() -> {
            RedisClient client = RedisClient.create(url);
            try (var connection = client.connect()) {
                work.with(client, connection);
            } finally {
                stop(client);
            }
        });
    }

    @Test
    void fiftyCoroutinesOverOneConnection_rightAnswers() {
        connected((client, connection) -> {
            var all = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 50; i++) {
                String key = "key " + i;
                boolean waits = i % 2 == 0;
                all.add(spawn(() -> {
                    for (int k = 0; k < 100; k++) {
                        String value = key + " value " + k;
                        // the blocking view, and the futures
                        if (waits) connection.sync().set(key, value);
                        else await(connection.async().set(key, value));
                        assertThat(
                                        waits
                                                ? connection.sync().get(key)
                                                : await(connection.async().get(key)))
                                .isEqualTo(value);
                    }
                }));
            }
            awaitAllOrFail(all);
        });
    }

    @Test
    void futureHandedOver_awaitedAsOneOfOurs() {
        connected((client, connection) -> {
            var state = new FutureState<String>();
            var remote = state.handOver();
            var _ = connection.async().ping().whenComplete((answer, error) -> {
                if (error != null) remote.error(error);
                else remote.complete(answer);
            });
            assertThat(state.future().await()).isEqualTo("PONG");
        });
    }

    @Test
    void oneWaitsInBlpop_othersGoOn() {
        connected((client, connection) -> {
            var order = new ArrayList<String>();
            var waiting = spawn(() -> {
                try (var own = client.connect()) {
                    order.add(own.sync().blpop(0, "queue").getValue());
                }
            });
            var redis = connection.sync();
            until(() -> redis.info("clients").contains("blocked_clients:1\r"));
            for (int i = 0; i < 3; i++) order.add(redis.ping());
            redis.rpush("queue", "job");
            await(waiting);
            assertThat(order).containsExactly("PONG", "PONG", "PONG", "job");
        });
    }

    @Test
    void cancelledWait_endsAtOnceAndClosingItsConnectionEndsTheCommand() {
        connected((client, connection) -> {
            var redis = connection.sync();
            var waiting = spawn(() -> {
                try (var own = client.connect()) {
                    await(own.async().blpop(0, "queue"));
                }
            });
            until(() -> redis.info("clients").contains("blocked_clients:1\r"));
            waiting.cancel();
            assertThatThrownBy(() -> await(waiting)).isInstanceOf(AsyncCancellation.class);
            until(() -> redis.info("clients").contains("blocked_clients:0\r"));
            redis.rpush("queue", "job");
            assertThat(redis.lpop("queue")).isEqualTo("job");

            // the blocking view is left by an interrupt, and the connection is as good as before
            var blocking = spawn(() -> connection.sync().blpop(0, "nothing"));
            delay(20);
            blocking.cancel();
            assertThatThrownBy(() -> await(blocking)).isInstanceOf(AsyncCancellation.class);
            try (var other = client.connect()) {
                other.sync().rpush("nothing", "so that the command ends");
            }
            assertThat(redis.ping()).isEqualTo("PONG");
        });
    }

    @Test
    void clientLeftOpen_theRunEndsAndTheClientGoesOn() {
        var left = new AtomicReference<@Nullable RedisClient>();
        var open = new AtomicReference<@Nullable StatefulRedisConnection<String, String>>();
        onLoop(() -> {
            RedisClient client = RedisClient.create(url);
            left.set(client);
            open.set(client.connect());
            assertThat(await(open.get().async().ping())).isEqualTo("PONG");
        });
        assertThat(open.get().sync().ping()).isEqualTo("PONG");
        stop(left.get());
    }
}
