package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.clients.Waits.onLoop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;

/** Kafka through its own client: a producer with a sending thread, and consumers that poll. */
@Tag("deep")
@Timeout(100)
class KafkaTest {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private static String servers = "";

    @BeforeAll
    @Timeout(400)
    static void server() {
        servers = "127.0.0.1:" + Servers.kafka();
    }

    private static KafkaProducer<String, String> producer() {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers, "linger.ms", 0);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer(String protocol, String topic) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                servers,
                "group.id",
                "group of " + topic,
                "group.protocol",
                protocol,
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false);
        var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        return consumer;
    }

    private static String newTopic() {
        String topic = "topic-" + TOPICS.incrementAndGet();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            await(admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                    .all()
                    .toCompletionStage());
        }
        return topic;
    }

    private static List<String> poll(KafkaConsumer<String, String> consumer, int count) {
        var values = new ArrayList<String>();
        while (values.size() < count)
            for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofSeconds(1))) values.add(one.value());
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void fiftyCoroutinesOverOneProducer_allArrive(String protocol) {
        onLoop(() -> {
            String topic = newTopic();
            try (var producer = producer();
                    var consumer = consumer(protocol, topic)) {
                var all = new ArrayList<Coroutine<?>>();
                var expected = new TreeSet<String>();
                for (int i = 0; i < 50; i++) {
                    String first = "first of " + i;
                    String second = "second of " + i;
                    expected.addAll(List.of(first, second));
                    all.add(spawn(() -> {
                        // the future, and the callback on the client's thread
                        assertThat(producer.send(new ProducerRecord<>(topic, first))
                                        .get()
                                        .topic())
                                .isEqualTo(topic);
                        var state = new FutureState<Long>();
                        var remote = state.handOver();
                        var _ = producer.send(new ProducerRecord<>(topic, second), (record, error) -> {
                            if (error != null) remote.error(error);
                            else remote.complete(record.offset());
                        });
                        assertThat(state.future().await()).isNotNegative();
                    }));
                }
                awaitAllOrFail(all);
                assertThat(new TreeSet<>(poll(consumer, 100))).isEqualTo(expected);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void oneWaitsInPoll_othersGoOn(String protocol) {
        onLoop(() -> {
            String topic = newTopic();
            try (var producer = producer();
                    var consumer = consumer(protocol, topic)) {
                var order = new ArrayList<String>();
                var waiting = spawn(() -> {
                    order.add("polls");
                    for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofSeconds(60)))
                        order.add(one.value());
                });
                delay(1);
                for (int i = 0; i < 3; i++) {
                    order.add("tick");
                    delay(20);
                }
                producer.send(new ProducerRecord<>(topic, "job")).get();
                await(waiting);
                assertThat(order).containsExactly("polls", "tick", "tick", "tick", "job");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void cancelledInPoll_endsAtOnceAndTheConsumerIsAsGoodAsBefore(String protocol) {
        onLoop(() -> {
            String topic = newTopic();
            try (var producer = producer();
                    var consumer = consumer(protocol, topic)) {
                var waiting = spawn(() -> consumer.poll(Duration.ofSeconds(60)));
                for (int i = 0; i < 20; i++) delay(1);
                assertThat(waiting.isCompleted()).isFalse();
                waiting.cancel();
                assertThatThrownBy(() -> await(waiting)).isInstanceOf(AsyncCancellation.class);
                producer.send(new ProducerRecord<>(topic, "job")).get();
                assertThat(poll(consumer, 1)).containsExactly("job");
            }
        });
    }

    @Test
    void producerLeftOpen_theRunEndsAndTheClientGoesOn() throws Exception {
        var left = new AtomicReference<@Nullable KafkaProducer<String, String>>();
        var topic = new AtomicReference<@Nullable String>();
        onLoop(() -> {
            topic.set(newTopic());
            left.set(producer());
            left.get().send(new ProducerRecord<>(topic.get(), "one")).get();
        });
        try (var producer = left.get()) {
            assertThat(producer.send(new ProducerRecord<>(topic.get(), "two"))
                            .get()
                            .offset())
                    .isEqualTo(1);
        }
    }
}
