package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** As many idle connections as the descriptors of the process allow, at most 10,000. */
@Tag("deep")
@Timeout(180)
class ManyConnectionsTest {
    @EachReactor
    void idleConnections_areKeptServedAndDrained(String reactor) {
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long free = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
        int count = (int) Math.min(10_000, (free - 500) / 2);
        Http.serve(reactor, x -> x.respond("ok"), server -> {
            var peers = new ArrayList<Raw>();
            for (int i = 0; i < count; i++) {
                peers.add(new Raw(server.port()));
                if (i % 200 == 0) while (server.stats().openConnections() < i) delay(1);
            }
            for (int i = 0; i < count; i += count / 100)
                peers.get(i).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readUntil("ok");
            assertThat(server.stats().openConnections()).isEqualTo(count);
            assertThat(server.drain(Duration.ofSeconds(60))).isTrue();
            assertThat(server.stats().openConnections()).isZero();
            for (Raw peer : peers) peer.close();
        });
    }
}
