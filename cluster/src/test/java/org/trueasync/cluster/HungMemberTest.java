package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.internal.testkit.FreePort;

/** Three members, of which one is stopped for longer than the silence, and then continued. */
@Tag("deep")
@Timeout(280)
class HungMemberTest {
    private static final Duration SILENCE = Duration.ofSeconds(8);
    /** Generous: it is looked for every five seconds with this silence. */
    private static final Duration COMES_BACK_WITHIN = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void memberThatHung_isAMemberAgainWithinSeconds_alsoTheOldest(String reactor) throws Exception {
        int port = FreePort.any();
        String name = "hung-" + port;
        String address = "127.0.0.1:" + port;
        String[] around = {"env", OtherMember.REACTOR + "=" + reactor};
        Async.runtime().reactor(reactor).run((Body) () -> {
            try (var first = OtherMember.start(name, "127.0.0.1", address, SILENCE, around)) {
                String oldest = first.address();
                try (var here = Cluster.join(ClusterConfig.builder()
                                .name(name)
                                .port(port)
                                .members(oldest)
                                .silence(SILENCE)
                                .engine(BadDaysTest::impatient)
                                .build());
                        var last = OtherMember.start(name, "127.0.0.1", oldest, SILENCE, around)) {
                    here.awaitMembers(3);
                    for (OtherMember each : List.of(last, first)) {
                        each.stop();
                        Waiting.until("it is given up", here::members, members -> members.size() == 2);
                        each.signal("CONT");
                        withTimeout(COMES_BACK_WITHIN, () -> here.awaitMembers(3));
                        // it knows that as well, and takes tasks
                        for (ClusterMember member : here.members())
                            assertThat(here.submitTo(member, HungMemberTest::size)
                                            .await())
                                    .isEqualTo(3);
                    }
                }
            }
        });
    }

    private static int size() {
        Cluster mine = OtherMember.here;
        if (mine != null) mine.awaitMembers(3);
        return mine == null ? 3 : mine.members().size();
    }
}
