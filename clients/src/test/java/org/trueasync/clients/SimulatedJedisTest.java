package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.testkit.simulation.Host;
import org.trueasync.testkit.simulation.Simulation;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Jedis and a small Redis, both over the JDK's sockets, on hosts of a simulation. */
@Timeout(100)
class SimulatedJedisTest {
    private static final int PORT = 6379;

    /** Serves SET, GET and INCR; answers OK to anything else. */
    private static void redis() throws IOException {
        Map<String, String> values = new HashMap<>();
        try (var server = new ServerSocket(PORT)) {
            while (true) {
                Socket peer = server.accept();
                spawn(() -> {
                    try (peer) {
                        serve(peer, values);
                    } catch (SocketException gone) {
                        // it connects again
                    }
                });
            }
        }
    }

    private static void serve(Socket peer, Map<String, String> values) throws IOException {
        var in = new BufferedReader(new InputStreamReader(peer.getInputStream(), StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = new String[Integer.parseInt(line.substring(1))];
            for (int i = 0; i < words.length; i++) {
                in.readLine(); // its length
                words[i] = in.readLine();
            }
            String answer =
                    switch (words[0]) {
                        case "GET" -> bulk(values.get(words[1]));
                        case "INCR" -> {
                            int now = Integer.parseInt(values.getOrDefault(words[1], "0")) + 1;
                            values.put(words[1], String.valueOf(now));
                            yield ":" + now;
                        }
                        case "SET" -> {
                            values.put(words[1], words[2]);
                            yield "+OK";
                        }
                        default -> "+OK";
                    };
            peer.getOutputStream().write((answer + "\r\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String bulk(String value) {
        return value == null ? "$-1" : "$" + value.length() + "\r\n" + value;
    }

    @Test
    void commands_areAnswered_andAKilledServerIsNoticed() {
        Simulation.replay(1, sim -> {
            Host server = sim.host("redis", SimulatedJedisTest::redis);
            sim.client(() -> {
                delay(1);
                try (var redis = new Jedis("redis", PORT, 2_000)) {
                    redis.set("a", "1");
                    assertThat(redis.incr("a")).isEqualTo(2);
                    assertThat(redis.get("a")).isEqualTo("2");
                    server.kill();
                    delay(1);
                    Duration before = sim.elapsed();
                    assertThatThrownBy(() -> redis.get("a"))
                            .isInstanceOf(JedisConnectionException.class)
                            .hasMessageContaining("Read timed out");
                    assertThat(sim.elapsed().minus(before)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
                }
                server.restart();
                delay(1);
                try (var redis = new Jedis("redis", PORT, 2_000)) {
                    assertThat(redis.get("a")).isNull();
                }
            });
        });
    }

    private static List<String> counted(long seed) {
        List<String> log = new ArrayList<>();
        Simulation.replay(seed, sim -> {
            sim.host("redis", SimulatedJedisTest::redis);
            sim.faults().partitions().resets().pauses().slowLinks().packetLoss().every(Duration.ofSeconds(2));
            sim.client(() -> {
                int acknowledged = 0;
                while (acknowledged < 20) {
                    try (var redis = new Jedis("redis", PORT, 1_000)) {
                        long count = redis.incr("n");
                        acknowledged++;
                        sim.always(count >= acknowledged, "an increment was lost");
                        log.add(sim.elapsed() + " " + count);
                        Thread.sleep(1_000);
                    } catch (JedisConnectionException again) {
                        log.add(sim.elapsed() + " " + again);
                        Thread.sleep(100);
                    }
                }
            });
        });
        return log;
    }

    @Test
    void counter_losesNothingUnderFaults_andRepeatsToTheNanosecond() {
        List<String> all = new ArrayList<>();
        for (long seed = 1; seed <= 4; seed++) {
            List<String> log = counted(seed);
            assertThat(counted(seed)).isEqualTo(log);
            all.addAll(log);
        }
        assertThat(all).anyMatch(line -> line.contains("Exception"));
    }
}
