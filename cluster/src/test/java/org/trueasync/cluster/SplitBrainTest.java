package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Future;

/** Two members on two networks, and the cable between them. Needs to be root, and the command {@code ip}. */
@Tag("deep")
class SplitBrainTest {
    private static final Duration SILENCE = Duration.ofSeconds(8);
    private static final long SELF = ProcessHandle.current().pid();
    private static final String SPACE = "ta" + SELF;
    /** Interface names have at most 15 characters. */
    private static final String HERE = "tah" + SELF;

    private static final String THERE = "tat" + SELF;

    private static int ip(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    @Timeout(240)
    void networkCutInTwo_eachHalfGoesOn_andTasksAcrossTheCutFail() throws Exception {
        assumeTrue(ip("netns", "add", SPACE) == 0, "no network namespaces here");
        // a net of its own for each run, of those for documentation
        String net = "198.18." + SELF % 250 + ".";
        try {
            assumeTrue(
                    ip("link", "add", HERE, "type", "veth", "peer", "name", THERE, "netns", SPACE) == 0
                            && ip("addr", "add", net + "1/24", "dev", HERE) == 0
                            && ip("link", "set", HERE, "up") == 0
                            && ip("-n", SPACE, "addr", "add", net + "2/24", "dev", THERE) == 0
                            && ip("-n", SPACE, "link", "set", THERE, "up") == 0
                            && ip("-n", SPACE, "link", "set", "lo", "up") == 0,
                    "no virtual cables here");
            Async.run((Body) () -> cut(net));
        } finally {
            ip("netns", "del", SPACE);
            ip("link", "del", HERE);
        }
    }

    private static void cut(String net) throws Exception {
        String name = "split-" + SELF;
        try (var cluster = Cluster.join(ClusterConfig.builder()
                        .name(name)
                        .bind(net + "1")
                        .silence(SILENCE)
                        .engine(BadDaysTest::impatient)
                        .build());
                var process = OtherMember.start(
                        name, net + "2", cluster.self().address(), SILENCE, "ip", "netns", "exec", SPACE)) {
            String address = process.address();
            cluster.awaitMembers(2);
            ClusterMember other = cluster.members().getLast();
            assertThat(other.address()).isEqualTo(address);
            Future<String> begun = cluster.submitTo(other, () -> {
                Async.delay(Duration.ofHours(1));
                return "never";
            });

            assertThat(ip("link", "set", HERE, "down")).isZero();
            Future<Integer> across = cluster.submitTo(other, () -> 1);
            assertThatThrownBy(begun::await).isInstanceOf(MemberLostException.class);
            assertThatThrownBy(across::await).isInstanceOf(MemberLostException.class);
            Waiting.until("alone", () -> cluster.members().equals(List.of(cluster.self())));
            assertThat(cluster.submit(() -> "this half works").await()).isEqualTo("this half works");

            // one half joins the other as a new member
            assertThat(ip("link", "set", HERE, "up")).isZero();
            cluster.awaitMembers(2);
            ClusterMember again = cluster.members().stream()
                    .filter(member -> member.address().equals(address))
                    .findFirst()
                    .orElseThrow();
            // and both give and take tasks
            int sum = cluster.submitTo(again, () -> {
                        int all = 0;
                        for (Future<Integer> one :
                                OtherMember.here.submitToAll(() -> 3).values()) all += one.await();
                        return all;
                    })
                    .await();
            assertThat(sum).isEqualTo(6);
        }
    }
}
