package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.internal.testkit.FreePort;

/** One member for a program on several cores: its first core joins, and hands tasks on. */
@Tag("deep")
class CoresTest {
    private static int where() {
        return Cores.current().index();
    }

    @Test
    void tasksOfOthers_areHandedOnToOtherCores() throws Exception {
        int port = FreePort.any();
        List<List<Integer>> seen = Async.run(() -> Cores.builder().count(3).run(() -> {
            if (Cores.current().index() > 0) return List.of();
            try (var cluster = Cluster.join(
                    ClusterConfig.builder().name("cores-" + port).port(port).build())) {
                int handedOn = cluster.submit(() -> Cores.current().on(2, CoresTest::where))
                        .await();
                int owner = cluster.submit(() -> Cores.current().onOwnerOf("red", CoresTest::where))
                        .await();
                return List.of(
                        handedOn,
                        cluster.submit(CoresTest::where).await(),
                        owner,
                        Cores.current().ownerOf("red"));
            }
        }));
        assertThat(seen.getFirst().subList(0, 2)).containsExactly(2, 0);
        assertThat(seen.getFirst().get(2)).isEqualTo(seen.getFirst().get(3));
    }
}
