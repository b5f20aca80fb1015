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

    @EachReactor
    void streamsOfManyConnections_areAllAnswered(String reactor) {
        HttpHandler handler = x -> {
            delay(20);
            x.respond(x.path());
        };
        Http.serve(reactor, handler, server -> {
            var peers = new ArrayList<Http2Peer>();
            for (int i = 0; i < 1_000; i++) {
                peers.add(Http2Peer.open(server.port()));
                if (i % 200 == 0) while (server.stats().openConnections() < i) delay(1);
            }
            for (Http2Peer peer : peers) for (int id = 1; id < 40; id += 2) peer.get(id, "/" + id);
            for (Http2Peer peer : peers)
                for (int id = 1; id < 40; id += 2)
                    assertThat(peer.await(id).text()).isEqualTo("/" + id);
            assertThat(server.stats().requests()).isEqualTo(20_000);
            assertThat(server.drain(Duration.ofSeconds(60))).isTrue();
            for (Http2Peer peer : peers) assertThat(peer.awaitEnd().goAway()).isZero();
            for (Http2Peer peer : peers) peer.close();
        });
    }
}
