package org.trueasync.internal.cluster.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.map.EntryProcessor;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What calls do to a channel's state, without an engine around it. */
class ChannelCallTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final UUID C = new UUID(0, 3);

    private final InternalSerializationService wire = new DefaultSerializationServiceBuilder()
            .addDataSerializableFactory(Wire.ID, new Wire())
            .build();
    private final Map.Entry<String, ChannelState> kept = new SimpleEntry<>("c", null);
    private final Map.Entry<String, ChannelState> copy = new SimpleEntry<>("c", null);

    /** As the engine does: the call runs where the channel is kept, then travels to the copy. */
    private ChannelReply run(ChannelCall call) {
        ChannelReply reply = travelled(call).process(kept, copy);
        return wire.toObject(wire.toData(reply));
    }

    private record Travelled(ChannelCall call, InternalSerializationService wire) {
        ChannelReply process(Map.Entry<String, ChannelState> kept, Map.Entry<String, ChannelState> copy) {
            ChannelReply reply = call.process(kept);
            EntryProcessor<String, ChannelState, ChannelReply> second = call.getBackupProcessor();
            if (second != null) {
                EntryProcessor<String, ChannelState, ChannelReply> arrived = wire.toObject(wire.toData(second));
                arrived.process(copy);
            }
            return reply;
        }
    }

    private Travelled travelled(ChannelCall call) {
        return new Travelled(wire.toObject(wire.toData(call)), wire);
    }

    private static List<byte[]> values(int... all) {
        return IntStream.of(all).mapToObj(i -> new byte[] {(byte) i}).toList();
    }

    private static List<Integer> numbers(List<byte[]> values) {
        return values.stream().map(each -> (int) each[0]).toList();
    }

    private byte[] bytes(Map.Entry<String, ChannelState> entry) {
        return wire.toData(entry.getValue()).toByteArray();
    }

    @Test
    void callThatIsRunTwice_hasOneEffect_andTheSameAnswer() {
        run(new OpenChannel(A, 4));
        var send = new SendValues(A, 1, values(1, 2, 3), 3, false);
        assertThat(run(send).accepted).isEqualTo(3);
        assertThat(run(send).accepted).isEqualTo(3);
        assertThat(run(new LookAtChannel(B)).size).isEqualTo(3);
        var take = new TakeValues(B, 1, 2, true, false, List.of());
        assertThat(numbers(run(take).values)).containsExactly(1, 2);
        assertThat(numbers(run(take).values)).containsExactly(1, 2);
        assertThat(run(new LookAtChannel(B)).size).isEqualTo(1);
        assertThat(numbers(run(new TakeValues(B, 2, 2, true, false, List.of())).values))
                .containsExactly(3);
    }

    @Test
    void valuesThatComeBack_areInFront() {
        run(new OpenChannel(A, 4));
        run(new SendValues(A, 1, values(1, 2, 3), 3, false));
        assertThat(numbers(run(new TakeValues(B, 1, 2, true, false, List.of())).values))
                .containsExactly(1, 2);
        assertThat(run(new TakeValues(B, 2, 0, true, false, values(1, 2))).size).isEqualTo(3);
        assertThat(numbers(run(new TakeValues(A, 1, 9, true, false, List.of())).values))
                .containsExactly(1, 2, 3);
    }

    @Test
    void whatIsThere_isKeptForThoseInFront_exceptFromWhoHasWaitedLong() {
        run(new OpenChannel(A, 4));
        assertThat(run(new TakeValues(B, 1, 2, true, false, List.of())).values).isEmpty();
        assertThat(run(new TakeValues(C, 1, 1, true, false, List.of())).values).isEmpty();
        ChannelReply sent = run(new SendValues(A, 1, values(1, 2), 2, false));
        assertThat(sent.receivers).as("called once").containsExactly(B);
        assertThat(run(new SendValues(A, 2, values(3), 1, false)).receivers).containsExactly(C);
        assertThat(numbers(run(new TakeValues(C, 2, 9, true, false, List.of())).values))
                .containsExactly(1);
        assertThat(run(new TakeValues(C, 3, 9, true, false, List.of())).values).isEmpty();
        assertThat(numbers(run(new TakeValues(C, 4, 1, true, true, List.of())).values))
                .containsExactly(2);
        assertThat(numbers(run(new TakeValues(B, 2, 2, true, false, List.of())).values))
                .containsExactly(3);
    }

    @Test
    void sendersInLine_haveTheirRoom_andAreCalled() {
        run(new OpenChannel(A, 1));
        run(new SendValues(A, 1, values(1, 2), 2, false));
        assertThat(run(new SendValues(B, 1, values(3), 1, false)).accepted).isZero();
        assertThat(run(new TakeValues(C, 1, 1, false, false, List.of())).senders)
                .containsExactly(A);
        assertThat(run(new SendValues(B, 2, values(3), 1, false)).accepted)
                .as("A is in front")
                .isZero();
        assertThat(run(new SendValues(A, 2, values(2), 1, false)).accepted).isOne();
        assertThat(run(new TakeValues(C, 2, 1, false, false, List.of())).senders)
                .containsExactly(B);
        // B has given up: what is free is nobody's
        assertThat(run(new SendValues(B, 3, List.of(), 0, false)).accepted).isZero();
        assertThat(run(new SendValues(A, 3, values(4), 1, false)).accepted).isOne();
    }

    @Test
    void closing_callsAllWhoWaitInVain_andKeepsTheFirstReason() {
        run(new OpenChannel(A, 1));
        run(new SendValues(A, 1, values(1, 2), 2, false));
        assertThat(run(new CloseChannel(B, "first")).senders).containsExactly(A);
        assertThat(run(new CloseChannel(A, "second")).closed).isEqualTo("first");
        assertThat(run(new SendValues(A, 2, values(2), 1, false)).accepted).isZero();
        assertThat(numbers(run(new TakeValues(B, 1, 5, true, false, List.of())).values))
                .containsExactly(1);
        ChannelReply over = run(new TakeValues(B, 2, 5, true, false, List.of()));
        assertThat(over.closed).isEqualTo("first");
        assertThat(over.size).isZero();
    }

    @Test
    void channelThatNobodyHasMade_isNotFound() {
        assertThat(run(new TakeValues(A, 1, 1, true, false, List.of())).found).isFalse();
        assertThat(run(new LookAtChannel(A)).found).isFalse();
        assertThat(run(new OpenChannel(A, 2)).found).isTrue();
    }

    @Test
    void whateverHappens_theCopyIsTheSame_andNoValueIsLostOrDoubled() {
        for (int seed = 0; seed < 200; seed++) {
            kept.setValue(null);
            copy.setValue(null);
            var random = new Random(seed);
            run(new OpenChannel(A, 1 + random.nextInt(6)));
            List<UUID> members = List.of(A, B, C);
            Map<UUID, long[]> numbers = new HashMap<>();
            for (UUID member : members) numbers.put(member, new long[2]);
            List<Integer> sent = new ArrayList<>();
            List<Integer> received = new ArrayList<>();
            int next = 0;
            for (int step = 0; step < 100; step++) {
                UUID member = members.get(random.nextInt(3));
                boolean past = random.nextInt(8) == 0;
                int times = random.nextInt(5) == 0 ? 2 : 1;
                if (random.nextBoolean()) {
                    int count = random.nextInt(4);
                    int[] batch = IntStream.range(next, next + count).toArray();
                    var call = new SendValues(member, ++numbers.get(member)[0], values(batch), count, past);
                    ChannelReply reply = run(call);
                    for (int i = 1; i < times; i++)
                        assertThat(run(call).accepted).isEqualTo(reply.accepted);
                    for (int i = 0; i < reply.accepted; i++) sent.add(batch[i]);
                    next += reply.accepted;
                } else {
                    var call = new TakeValues(
                            member, ++numbers.get(member)[1], random.nextInt(4), random.nextBoolean(), past, List.of());
                    ChannelReply reply = run(call);
                    for (int i = 1; i < times; i++)
                        assertThat(numbers(run(call).values)).isEqualTo(numbers(reply.values));
                    received.addAll(numbers(reply.values));
                }
                assertThat(bytes(copy)).as("seed %d, step %d", seed, step).isEqualTo(bytes(kept));
                assertThat(kept.getValue().values.size()).isLessThanOrEqualTo(kept.getValue().capacity);
            }
            received.addAll(numbers(List.copyOf(kept.getValue().values)));
            assertThat(received.stream().map(i -> i & 0xff).toList())
                    .isEqualTo(sent.stream().map(i -> i & 0xff).toList());
        }
    }
}
