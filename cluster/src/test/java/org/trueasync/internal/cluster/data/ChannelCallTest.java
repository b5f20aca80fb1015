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

    private final Map<UUID, Long> seen = new HashMap<>();
    /** What the member with the copy has sent. */
    private final List<Delivery> deliveries = new ArrayList<>();

    private long now;

    /** As the engine does: the call runs where the channel is kept, then what has changed travels to the copy. */
    private ChannelReply run(ChannelCall call) {
        ChannelCall arrived = wire.toObject(wire.toData(call));
        ChannelReply reply = arrived.process(kept);
        if (kept.getValue() != null) kept.getValue().clock = () -> now;
        toCopy(arrived);
        return wire.toObject(wire.toData(reply));
    }

    private void toCopy(ChannelCall call) {
        EntryProcessor<String, ChannelState, ChannelReply> change = call.getBackupProcessor();
        if (change == null) return;
        ChannelChange arrived = wire.toObject(wire.toData(change));
        arrived.process(copy);
        for (Delivery each : arrived.deliveries(copy.getValue(), "c")) deliveries.add(wire.toObject(wire.toData(each)));
    }

    private TakeValues take(UUID member, long number, int wanted, boolean waits, boolean passing, List<byte[]> back) {
        return new TakeValues(member, number, wanted, waits, passing, back, seen.getOrDefault(member, 0L));
    }

    /** What is new to the member of what came. */
    private List<Integer> fresh(UUID member, long before, List<byte[]> values) {
        long had = seen.getOrDefault(member, 0L);
        assertThat(before).isLessThanOrEqualTo(had);
        List<byte[]> fresh = values.subList((int) Math.min(values.size(), had - before), values.size());
        seen.put(member, had + fresh.size());
        return numbers(fresh);
    }

    private List<Integer> taken(TakeValues call) {
        ChannelReply reply = run(call);
        return fresh(call.member, reply.before, reply.values);
    }

    private void muchLater() {
        now += 2 * MemberQueue.FRESH_NANOS;
    }

    private static List<byte[]> values(int... all) {
        return IntStream.of(all).mapToObj(i -> new byte[] {(byte) i}).toList();
    }

    private static List<Integer> numbers(List<byte[]> values) {
        return values.stream().map(each -> (int) each[0]).toList();
    }

    /** Without who waits, which the copy does not know, and without those of whom nothing is known but a number. */
    private String shown(Map.Entry<String, ChannelState> entry) {
        ChannelState state = entry.getValue();
        var text = new StringBuilder()
                .append(state.capacity)
                .append(state.closed)
                .append(numbers(List.copyOf(state.values)));
        for (UUID member : List.of(A, B, C)) {
            ChannelState.Link link = state.link(member);
            // the copy may not have heard yet of what was confirmed
            text.append(' ')
                    .append(link.last())
                    .append(link.unconfirmed().stream()
                            .skip(Math.max(0, seen.getOrDefault(member, 0L) - link.confirmed()))
                            .map(each -> each[0])
                            .toList());
        }
        return text.toString();
    }

    @Test
    void callThatIsRunTwice_hasOneEffect_andTheSameAnswer() {
        run(new OpenChannel(A, 4));
        var send = new SendValues(A, 1, values(1, 2, 3), 3, false);
        assertThat(run(send).accepted).isEqualTo(3);
        assertThat(run(send).accepted).isEqualTo(3);
        assertThat(run(new QueryChannel(B)).size).isEqualTo(3);
        var take = take(B, 1, 2, true, false, List.of());
        assertThat(numbers(run(take).values)).containsExactly(1, 2);
        assertThat(numbers(run(take).values)).containsExactly(1, 2);
        assertThat(run(new QueryChannel(B)).size).isEqualTo(1);
        seen.put(B, 2L);
        assertThat(numbers(run(take(B, 2, 2, true, false, List.of())).values)).containsExactly(3);
    }

    @Test
    void oldCallThatComesLate_hasNoEffect() {
        run(new OpenChannel(A, 9));
        run(new SendValues(A, 1, values(1), 1, false));
        run(new SendValues(A, 2, values(2), 1, false));
        run(new SendValues(A, 1, values(1), 1, false));
        assertThat(taken(take(B, 1, 1, false, false, List.of()))).containsExactly(1);
        assertThat(taken(take(B, 2, 0, false, false, values(1)))).isEmpty();
        assertThat(taken(take(B, 3, 9, false, false, List.of()))).containsExactly(1, 2);
        run(take(B, 2, 0, false, false, values(1)));
        assertThat(run(new QueryChannel(A)).size).isZero();
    }

    @Test
    void valuesThatComeBack_areInFront() {
        run(new OpenChannel(A, 4));
        run(new SendValues(A, 1, values(1, 2, 3), 3, false));
        assertThat(taken(take(B, 1, 2, true, false, List.of()))).containsExactly(1, 2);
        assertThat(run(take(B, 2, 0, true, false, values(1, 2))).size).isEqualTo(3);
        assertThat(taken(take(A, 1, 9, true, false, List.of()))).containsExactly(1, 2, 3);
    }

    @Test
    void whatIsThere_isKeptForThoseInFront_exceptFromWhoHasWaitedLong() {
        run(new OpenChannel(A, 4));
        assertThat(taken(take(B, 1, 2, true, false, List.of()))).isEmpty();
        assertThat(taken(take(C, 1, 1, true, false, List.of()))).isEmpty();
        muchLater();
        ChannelReply sent = run(new SendValues(A, 1, values(1, 2), 2, false));
        assertThat(sent.receivers).as("called once").containsExactly(B);
        assertThat(run(new SendValues(A, 2, values(3), 1, false)).receivers).containsExactly(C);
        assertThat(taken(take(C, 2, 9, true, false, List.of()))).containsExactly(1);
        assertThat(taken(take(C, 3, 9, true, false, List.of()))).isEmpty();
        assertThat(taken(take(C, 4, 1, true, true, List.of()))).containsExactly(2);
        assertThat(taken(take(B, 2, 2, true, false, List.of()))).containsExactly(3);
        assertThat(deliveries).isEmpty();
    }

    @Test
    void whoHasJustAsked_isGivenItsValues_byTheMemberWithTheCopy_andNoMoreThanItWaitsFor() {
        run(new OpenChannel(A, 9));
        run(take(B, 1, 2, true, false, List.of()));
        run(take(C, 1, 1, true, false, List.of()));
        ChannelReply sent = run(new SendValues(A, 1, values(1, 2, 3, 4), 4, false));
        assertThat(sent.receivers).isEmpty();
        assertThat(sent.size).isOne();
        assertThat(deliveries).extracting(Delivery::member).containsExactly(B, C);
        assertThat(fresh(B, 0, deliveries.getFirst().values())).containsExactly(1, 2);
        // that for C is lost: it gets the value when it asks again
        assertThat(taken(take(C, 2, 1, true, false, List.of()))).containsExactly(3);
        assertThat(taken(take(B, 2, 2, true, false, List.of()))).containsExactly(4);
    }

    @Test
    void whoHasNotAskedForLong_isCalled_andItsShareIsKept_whileThoseBehindGetTheirs() {
        run(new OpenChannel(A, 9));
        run(take(B, 1, 2, true, false, List.of()));
        muchLater();
        run(take(C, 1, 1, true, false, List.of()));
        ChannelReply sent = run(new SendValues(A, 1, values(1, 2, 3), 3, false));
        assertThat(sent.receivers).containsExactly(B);
        assertThat(deliveries).extracting(Delivery::member).containsExactly(C);
        assertThat(fresh(C, 0, deliveries.getFirst().values())).hasSize(1);
        assertThat(taken(take(C, 2, 5, true, false, List.of()))).isEmpty();
        assertThat(taken(take(B, 2, 2, true, false, List.of()))).hasSize(2);
    }

    @Test
    void whoHasGivenUp_isGivenNothing() {
        run(new OpenChannel(A, 9));
        run(take(B, 1, 2, true, false, List.of()));
        run(take(B, 2, 0, true, false, List.of()));
        assertThat(run(new SendValues(A, 1, values(1), 1, false)).size).isOne();
        assertThat(deliveries).isEmpty();
    }

    @Test
    void onlyToWaitInLine_changesNoCopy() {
        run(new OpenChannel(A, 1));
        TakeValues join = take(B, 1, 2, true, false, List.of());
        join.process(kept);
        assertThat(join.getBackupProcessor()).isNull();
        run(take(B, 2, 0, true, false, List.of()));
        run(new SendValues(A, 1, values(1), 1, false));
        var noRoom = new SendValues(C, 1, values(2), 1, false);
        assertThat(noRoom.process(kept).accepted).isZero();
        assertThat(noRoom.getBackupProcessor()).isNull();
    }

    @Test
    void sendersInLine_haveTheirRoom_andAreCalled() {
        run(new OpenChannel(A, 1));
        run(new SendValues(A, 1, values(1, 2), 2, false));
        assertThat(run(new SendValues(B, 1, values(3), 1, false)).accepted).isZero();
        assertThat(run(take(C, 1, 1, false, false, List.of())).senders).containsExactly(A);
        assertThat(run(new SendValues(B, 2, values(3), 1, false)).accepted)
                .as("A is in front")
                .isZero();
        assertThat(run(new SendValues(A, 2, values(2), 1, false)).accepted).isOne();
        seen.put(C, 1L);
        assertThat(run(take(C, 2, 1, false, false, List.of())).senders).containsExactly(B);
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
        assertThat(taken(take(B, 1, 5, true, false, List.of()))).containsExactly(1);
        ChannelReply over = run(take(B, 2, 5, true, false, List.of()));
        assertThat(over.closed).isEqualTo("first");
        assertThat(over.size).isZero();
        run(new OpenChannel(A, 2));
        assertThat(shown(copy)).isEqualTo(shown(kept));
    }

    @Test
    void channelThatNobodyHasMade_isNotFound() {
        assertThat(run(take(A, 1, 1, true, false, List.of())).found).isFalse();
        assertThat(run(new QueryChannel(A)).found).isFalse();
        assertThat(run(new OpenChannel(A, 2)).found).isTrue();
    }

    @Test
    void whateverHappens_theCopyIsTheSame_andNoValueIsLostOrDoubled() {
        for (int seed = 0; seed < 400; seed++) new History(seed).run();
    }

    /**
     * Calls in random order: run twice, lost with the member that keeps the channel; deliveries late, out of order and
     * lost; receivers that hand values back.
     */
    private final class History {
        private final int seed;
        private final Random random;
        private final List<UUID> members = List.of(A, B, C);
        private final Map<UUID, long[]> numbers = new HashMap<>();
        private final Map<UUID, List<Integer>> got = new HashMap<>();
        private final boolean handsBack;
        private final List<Integer> sent = new ArrayList<>();
        private int next;

        History(int seed) {
            this.seed = seed;
            random = new Random(seed);
            handsBack = random.nextBoolean();
        }

        void run() {
            kept.setValue(null);
            copy.setValue(null);
            seen.clear();
            deliveries.clear();
            ChannelCallTest.this.run(new OpenChannel(A, 1 + random.nextInt(6)));
            for (UUID member : members) {
                numbers.put(member, new long[2]);
                got.put(member, new ArrayList<>());
            }
            for (int step = 0; step < 100; step++) {
                step(members.get(random.nextInt(3)));
                assertThat(shown(copy)).as("seed %d, step %d", seed, step).isEqualTo(shown(kept));
                assertThat(kept.getValue().values.size())
                        .isLessThanOrEqualTo(handsBack ? 99 : kept.getValue().capacity);
            }
            for (UUID member : members) take(member, 0, false, List.of());
            List<Integer> all = new ArrayList<>(ChannelCallTest.numbers(List.copyOf(kept.getValue().values)));
            for (UUID member : members) {
                all.addAll(got.get(member));
                if (!handsBack)
                    assertThat(got.get(member)).as("seed %d: in order", seed).isSorted();
            }
            assertThat(all).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(sent);
        }

        private void step(UUID member) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> send(member);
                case 3, 4, 5 -> take(member, random.nextInt(4), random.nextBoolean(), handBack(member));
                case 6 -> arrive();
                default -> now += random.nextLong(2 * MemberQueue.FRESH_NANOS);
            }
        }

        private void send(UUID member) {
            int count = Math.min(random.nextInt(4), 127 - next);
            int[] batch = IntStream.range(next, next + count).toArray();
            var call = new SendValues(member, ++numbers.get(member)[0], values(batch), count, random.nextInt(8) == 0);
            int accepted = perhapsTwice(call).accepted;
            for (int i = 0; i < accepted; i++) sent.add(batch[i]);
            next += accepted;
        }

        private void take(UUID member, int wanted, boolean waits, List<byte[]> back) {
            var call = ChannelCallTest.this.take(
                    member, ++numbers.get(member)[1], wanted, waits, random.nextInt(8) == 0, back);
            ChannelReply reply = perhapsTwice(call);
            got.get(member).addAll(fresh(member, reply.before, reply.values));
        }

        private List<byte[]> handBack(UUID member) {
            List<Integer> mine = got.get(member);
            if (!handsBack || mine.isEmpty() || random.nextBoolean()) return List.of();
            return values(mine.removeLast());
        }

        private ChannelReply perhapsTwice(ChannelCall call) {
            switch (random.nextInt(10)) {
                case 0 -> ChannelCallTest.this.run(call);
                case 1 -> {
                    // the member that keeps it dies before anybody has heard of the call
                    ChannelCall lost = wire.toObject(wire.toData(call));
                    lost.process(kept);
                    copyTakesOver();
                }
                case 2 -> {
                    ChannelCallTest.this.run(call);
                    copyTakesOver();
                }
                default -> {}
            }
            return ChannelCallTest.this.run(call);
        }

        private void copyTakesOver() {
            kept.setValue(wire.toObject(wire.toData(copy.getValue())));
            kept.getValue().clock = () -> now;
        }

        private void arrive() {
            if (deliveries.isEmpty()) return;
            Delivery one = deliveries.remove(random.nextInt(deliveries.size()));
            if (random.nextInt(4) == 0) deliveries.add(one);
            if (one.before() <= seen.getOrDefault(one.member(), 0L))
                got.get(one.member()).addAll(fresh(one.member(), one.before(), one.values()));
        }
    }
}
