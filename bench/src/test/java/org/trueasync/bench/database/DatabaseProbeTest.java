package org.trueasync.bench.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.bench.Peer;

/** Every peer gets an answer to each query; from a database in memory, {@code bin/bench} has a real one. */
@Tag("deep")
class DatabaseProbeTest {

    @ParameterizedTest
    @EnumSource(names = {"OURS", "OURS_NOT_RESET", "HIKARI"})
    void everyQuery_isAnswered(Peer peer) throws Exception {
        var probe = new DatabaseProbe("jdbc:h2:mem:" + peer, 30, 4);
        var passes = new AtomicInteger(3);
        assertThat(probe.run(peer, () -> passes.getAndDecrement() > 0)).isEqualTo(30 * 4 * 3 * DatabaseProbe.TIMES);
    }
}
