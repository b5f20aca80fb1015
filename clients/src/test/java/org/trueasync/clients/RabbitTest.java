package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.clients.Waits.onLoop;
import static org.trueasync.clients.Waits.until;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.ThreadChannel;

/** RabbitMQ through its Java client, which reads its socket on a thread of its own. */
@Tag("deep")
@Timeout(100)
class RabbitTest {
    private static int port;

    @BeforeAll
    @Timeout(400)
    static void server() {
        port = Servers.rabbit();
    }

    private static Connection connect() throws Exception {
        var factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setHandshakeTimeout(60_000);
        return factory.newConnection();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String newQueue(Channel channel) throws Exception {
        return channel.queueDeclare().getQueue();
    }

    @Test
    void fiftyCoroutinesEachWithItsChannel_rightAnswers() {
        onLoop(() -> {
            try (var connection = connect()) {
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 50; i++) {
                    String name = "message of " + i + ", number ";
                    all.add(spawn(() -> {
                        try (Channel channel = connection.createChannel()) {
                            channel.confirmSelect();
                            String queue = newQueue(channel);
                            for (int k = 0; k < 20; k++) {
                                channel.basicPublish("", queue, null, bytes(name + k));
                                channel.waitForConfirmsOrDie(20_000);
                                GetResponse got = channel.basicGet(queue, true);
                                assertThat(text(got.getBody())).isEqualTo(name + k);
                            }
                        }
                    }));
                }
                awaitAllOrFail(all);
            }
        });
    }

    @Test
    void consumer_handsWhatItGetsToCoroutines() {
        onLoop(() -> {
            try (var connection = connect();
                    Channel channel = connection.createChannel();
                    Channel sending = connection.createChannel()) {
                String queue = newQueue(channel);
                var inbox = new ThreadChannel<Delivery>(10);
                channel.basicQos(20);
                channel.basicConsume(queue, false, (tag, delivery) -> inbox.send(delivery), tag -> inbox.close());
                var expected = new ArrayList<String>();
                var received = new ArrayList<String>();
                var receiver = spawn(() -> {
                    for (int i = 0; i < 200; i++) {
                        Delivery one = inbox.receive();
                        received.add(text(one.getBody()));
                        channel.basicAck(one.getEnvelope().getDeliveryTag(), false);
                    }
                });
                for (int i = 0; i < 200; i++) {
                    expected.add("message " + i);
                    sending.basicPublish("", queue, null, bytes("message " + i));
                }
                await(receiver);
                assertThat(received).isEqualTo(expected);
            }
        });
    }

    @Test
    void oneWaitsForAMessage_othersGoOnAndACancellationEndsTheWait() {
        onLoop(() -> {
            try (var connection = connect();
                    Channel channel = connection.createChannel();
                    Channel other = connection.createChannel()) {
                String queue = newQueue(channel);
                var inbox = new ThreadChannel<String>(10);
                channel.basicConsume(queue, true, (tag, message) -> inbox.send(text(message.getBody())), tag -> {});
                var order = new ArrayList<String>();
                var waiting = spawn(() -> {
                    order.add(inbox.receive());
                });
                String mine = newQueue(other);
                for (int i = 0; i < 3; i++) {
                    other.basicPublish("", mine, null, bytes("tick"));
                    until(() -> {
                        try {
                            GetResponse got = other.basicGet(mine, true);
                            if (got != null) order.add(text(got.getBody()));
                            return got != null;
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    });
                }
                other.basicPublish("", queue, null, bytes("job"));
                await(waiting);
                assertThat(order).containsExactly("tick", "tick", "tick", "job");

                var cancelled = spawn(inbox::receive);
                delay(1);
                cancelled.cancel();
                assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
                other.basicPublish("", queue, null, bytes("for the next one"));
                assertThat(inbox.receive()).isEqualTo("for the next one");
            }
        });
    }

    /** The client finishes its call and sets the thread's interrupt status, which the next wait throws. */
    @Test
    void cancelledInACallOfAChannel_endsAtTheNextWaitAndTheConnectionServesTheOthers() {
        onLoop(() -> {
            try (var connection = connect()) {
                List<Coroutine<?>> busy = new ArrayList<>();
                var ends = new ArrayList<String>();
                for (int i = 0; i < 10; i++) {
                    boolean ours = i % 2 == 0;
                    busy.add(spawn(() -> {
                        Channel channel = connection.createChannel();
                        try {
                            String queue = newQueue(channel);
                            while (true) {
                                channel.basicGet(queue, true);
                                if (ours) delay(1);
                                else Thread.sleep(1);
                            }
                        } catch (Throwable e) {
                            ends.add((ours ? "ours " : "jdk ") + e.getClass().getSimpleName());
                            throw e;
                        } finally {
                            // at once: a polite close would wait for the server
                            channel.abort();
                        }
                    }));
                }
                delay(30);
                for (Coroutine<?> one : busy) one.cancel();
                // Once more after a while: if the answer came at the very moment of the interrupt, the client does not
                // wait again, and the status that it sets then is not a second delivery.
                Coroutine<?> again = spawn(() -> {
                    delay(10_000);
                    for (Coroutine<?> one : busy) one.cancel();
                });
                for (Coroutine<?> one : busy)
                    assertThatThrownBy(() -> await(one)).isInstanceOf(AsyncCancellation.class);
                again.cancel();
                assertThat(ends).hasSize(10).containsOnly("ours AsyncCancellation", "jdk InterruptedException");
                assertThat(connection.isOpen()).isTrue();
                try (Channel channel = connection.createChannel()) {
                    String queue = newQueue(channel);
                    channel.confirmSelect();
                    channel.basicPublish("", queue, null, bytes("still there"));
                    channel.waitForConfirmsOrDie(20_000);
                    assertThat(text(channel.basicGet(queue, true).getBody())).isEqualTo("still there");
                }
            }
        });
    }

    @Test
    void connectionLeftOpen_theRunEndsAndTheClientGoesOn() throws Exception {
        var left = new AtomicReference<@Nullable Connection>();
        onLoop(() -> left.set(connect()));
        try (Channel channel = left.get().createChannel()) {
            assertThat(newQueue(channel)).isNotEmpty();
        }
        left.get().close();
    }
}
