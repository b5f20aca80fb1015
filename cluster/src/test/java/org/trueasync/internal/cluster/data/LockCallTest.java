package org.trueasync.internal.cluster.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import java.util.AbstractMap.SimpleEntry;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What calls do to a lock's state, without an engine around it. */
class LockCallTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final UUID C = new UUID(0, 3);

    private final Map.Entry<String, LockState> kept = new SimpleEntry<>("l", null);

    private LockReply take(UUID member) {
        return new TakeLock(member, true, false, 1_000).process(kept);
    }

    private LockReply give(UUID member, long fence) {
        return new GiveLock(member, fence).process(kept);
    }

    @Test
    void handOver_callsTheFirstInLine_andNobodyPassesIt() {
        assertThat(take(A).fence).isEqualTo(1_000);
        assertThat(take(A).fence).as("run twice").isEqualTo(1_000);
        assertThat(take(B).fence).isZero();
        assertThat(take(C).fence).isZero();
        LockReply given = give(A, 1_000);
        assertThat(given.fence).isEqualTo(1_000);
        assertThat(given.next).containsExactly(B);
        assertThat(take(C).fence).isZero();
        assertThat(take(B).fence).isEqualTo(1_001);
        assertThat(give(B, 1_001).next).containsExactly(C);
    }

    @Test
    void lockThatIsGivenBackTwice_asTheKeeperHasDiedBeforeItsAnswer_wasNotLost() {
        take(A);
        take(B);
        assertThat(give(A, 1_000).fence).isEqualTo(1_000);
        assertThat(give(A, 1_000).fence).as("run twice").isEqualTo(1_000);
        assertThat(take(B).fence).isEqualTo(1_001);
        give(B, 1_001);
        take(C);
        copyTakesOver();
        assertThat(give(A, 1_000).fence).as("after others had it").isEqualTo(1_000);
        assertThat(give(B, 1_000).fence).as("never B's").isZero();
        assertThat(kept.getValue().holder).isEqualTo(C);
    }

    @Test
    void memberThatIsGone_isForgotten() {
        take(A);
        give(A, 1_000);
        assertThat(kept.getValue().concernsOthers(A)).isFalse();
        assertThat(kept.getValue().concernsOthers(B)).isTrue();
        assertThat(kept.getValue().departed(Set.of(B))).containsExactly(A);
        kept.getValue().forget(A);
        assertThat(kept.getValue().departed(Set.of(B))).isEmpty();
        assertThat(give(A, 1_000).fence).isZero();
    }

    private void copyTakesOver() {
        InternalSerializationService wire = new DefaultSerializationServiceBuilder()
                .addDataSerializableFactory(Wire.ID, new Wire())
                .build();
        PutLock copy = wire.toObject(wire.toData(new PutLock(kept.getValue())));
        copy.process(kept);
    }

    @Test
    void onlyTheHolderWithItsFence_givesBack() {
        take(A);
        assertThat(give(B, 1_000).fence).isZero();
        assertThat(give(A, 999).fence).isZero();
        assertThat(take(B).fence).isZero();
        assertThat(give(B, 0).next).as("B leaves the line").isEmpty();
        assertThat(give(A, 1_000).next).isEmpty();
        assertThat(take(C).fence).isEqualTo(1_001);
    }
}
