package org.trueasync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.workload.AwaitMany;
import org.trueasync.bench.workload.Coroutines;
import org.trueasync.bench.workload.HeapProbe;
import org.trueasync.bench.workload.Owned;
import org.trueasync.bench.workload.Workloads;

/** Every peer does as much as it is asked for; how fast is for {@code bin/bench} to say. */
@Tag("deep")
class WorkloadsTest {

    @ParameterizedTest
    @EnumSource(names = {"OURS", "FLOOR", "VIRTUAL_THREADS", "KOTLIN"})
    void everyWorkload_doesWhatItWasAskedFor(Peer peer) {
        Coroutines coroutines = Workloads.coroutines(peer);

        assertThat(coroutines.switches(3, 10)).isEqualTo(30);
        assertThat(coroutines.spawnAll(100)).isEqualTo(100);
        assertThat(coroutines.spawnOneByOne(100)).isEqualTo(100);
        assertThat(coroutines.sleepers(1))
                .isEqualTo(1); // the first sleeps 1 ms, the second would sleep most of a second
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "FLOOR", "VIRTUAL_THREADS", "KOTLIN"})
    void suspendedCrowd_isWeighedOnceAndThenEnds(Peer peer) {
        List<String> calls = new ArrayList<>();
        var probe = new HeapProbe() {
            @Override
            public void before() {
                calls.add("before");
            }

            @Override
            public void after() {
                calls.add("after");
            }
        };

        assertThat(Workloads.coroutines(peer).suspended(20, 5, probe)).isEqualTo(20);
        assertThat(calls).containsExactly("before", "after");
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "FLOOR", "VIRTUAL_THREADS", "KOTLIN", "JOX"})
    void channels_bringEachValueInItsTurn(Peer peer) {
        var channels = Workloads.channels(peer);

        assertThat(channels.rendezvous(100)).isEqualTo(100);
        assertThat(channels.pingPong(100)).isEqualTo(100);
        assertThat(channels.buffered(1_000, 64)).isEqualTo(1_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "FLOOR", "HIKARI", "COMMONS_POOL", "STORMPOT", "VIBUR"})
    void pool_servesEachUserAsOftenAsAsked(Peer peer) {
        try (var pools = Workloads.pools(peer)) {
            assertThat(pools.uncontended(100, blackhole())).isEqualTo(100);
            assertThat(pools.contended(30, 5)).isEqualTo(150);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "FLOOR", "KOTLIN", "COMPLETABLE_FUTURE"})
    void awaitOfSomethingDone_isRepeatedAsOftenAsAsked(Peer peer) {
        assertThat(Workloads.awaitDone(peer).awaitDone(10, blackhole())).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "VIRTUAL_THREADS"})
    void lookUp_finds(Peer peer) {
        assertThat(Workloads.lookUp(peer).lookUps(8, 10, blackhole())).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "KOTLIN", "VIRTUAL_THREADS", "COMPLETABLE_FUTURE"})
    void owner_countsAllItsMembers(Peer peer) {
        Owned owned = Workloads.owned(peer);

        assertThat(owned.group(10, 3)).isEqualTo(30);
        if (peer != Peer.COMPLETABLE_FUTURE) {
            assertThat(owned.scope(10, 3)).isEqualTo(30);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "KOTLIN", "COMPLETABLE_FUTURE"})
    void waitForMany_countsThemAll(Peer peer) {
        AwaitMany awaiting = Workloads.awaitMany(peer);

        assertThat(awaiting.awaitAll(10, 3)).isEqualTo(30);
        if (peer != Peer.COMPLETABLE_FUTURE) {
            assertThat(awaiting.sharedToken(10, 3)).isEqualTo(30);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "PLATFORM_THREADS"})
    void workForOtherThreads_comesBackWhole(Peer peer) {
        assertThat(Workloads.threads(peer).submit(100, 10)).isEqualTo(100);
        assertThat(Workloads.threads(peer).exchange(100, 4)).isEqualTo(4_950);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "FLOOR"})
    void workForAnotherCore_comesBackEachTime(Peer peer) {
        assertThat(Workloads.handOvers(peer).thereAndBack(100)).isEqualTo(100);
    }

    private static Blackhole blackhole() {
        return new Blackhole(
                "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");
    }
}
