package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;

/** A server in a process of its own gets a SIGTERM while many clients use it. */
@Tag("deep")
@Tag("D24")
@Timeout(120)
class KilledUnderLoadTest {
    private static final int CLIENTS = 40;

    /** The program: what it has handled it tells at its end. */
    static final class Program {
        public static void main(String[] arguments) {
            Async.runtime().reactor(arguments[0]).shutdownOn().run(() -> {
                var handled = new StringBuilder();
                var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                    Async.delay(5);
                    handled.append(exchange.path()).append(' ');
                    exchange.write("begin");
                    Async.delay(5);
                    exchange.write("end");
                });
                System.out.println(server.port());
                try {
                    Async.delay(3_600_000);
                } finally {
                    System.out.println(handled);
                }
            });
        }
    }

    @TempDir
    Path folder;

    /** Uses a connection until the server closes it; false if there is no server any more. */
    private interface Client {
        boolean ask(int port, AtomicInteger next, Set<String> acknowledged, Set<String> cut);
    }

    @EachReactor
    void requestsUnderLoad_areFinishedOrRefusedAndNoneIsCut(String reactor) throws Exception {
        run(reactor, KilledUnderLoadTest::ask);
    }

    @EachReactor
    void streamsUnderLoad_areFinishedOrRefusedAndNoneIsCut(String reactor) throws Exception {
        run(reactor, KilledUnderLoadTest::askByStreams);
    }

    private void run(String reactor, Client client) throws Exception {
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "--add-opens",
                        "java.base/java.lang=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        Program.class.getName(),
                        reactor))
                .redirectError(errors.toFile())
                .start();
        try (BufferedReader out = process.inputReader();
                var threads = Executors.newFixedThreadPool(CLIENTS)) {
            int port = Integer.parseInt(out.readLine());
            Set<String> acknowledged = ConcurrentHashMap.newKeySet();
            Set<String> cut = ConcurrentHashMap.newKeySet();
            var next = new AtomicInteger();
            for (int i = 0; i < CLIENTS; i++)
                threads.submit(() -> {
                    while (client.ask(port, next, acknowledged, cut)) {}
                });
            while (acknowledged.size() < 500) Thread.sleep(5);
            process.toHandle().destroy();
            threads.shutdown();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            Set<String> handled = new HashSet<>(List.of(out.readLine().split(" ")));
            assertThat(cut).isEmpty();
            assertThat(handled).isEqualTo(acknowledged); // nothing is lost, and nothing was done without an answer
            assertThat(process.exitValue()).isEqualTo(128 + 15);
            assertThat(errors).content().isEmpty(); // also no word of a logging library that nobody asked for
        } finally {
            process.destroyForcibly();
        }
    }

    static String classPath() {
        String all = System.getProperty("java.class.path");
        String modules = System.getProperty("jdk.module.path");
        return modules == null ? all : all + ":" + modules;
    }

    private static boolean askByStreams(int port, AtomicInteger next, Set<String> acknowledged, Set<String> cut) {
        try (var peer = Http2Peer.open(port)) {
            for (int id = 1; peer.goAways.isEmpty(); id += 8) {
                var paths = new ArrayList<String>();
                try {
                    for (int i = 0; i < 4; i++) {
                        paths.add("/" + next.incrementAndGet());
                        peer.get(id + 2 * i, paths.get(i));
                    }
                    while (!peer.closed && !isOver(peer, id)) peer.next();
                } catch (IOException e) {
                    // the server has gone
                }
                for (int i = 0; i < paths.size(); i++) {
                    Http2Peer.Response response = peer.of(id + 2 * i);
                    if (response.ended && response.text().equals("beginend")) acknowledged.add(paths.get(i));
                    else if (!response.fields.isEmpty()) cut.add(paths.get(i) + ": " + response);
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isOver(Http2Peer peer, int id) {
        for (int i = id; i < id + 8; i += 2) if (!peer.of(i).ended && peer.of(i).reset < 0) return false;
        return true;
    }

    private static boolean ask(int port, AtomicInteger next, Set<String> acknowledged, Set<String> cut) {
        try (var peer = new Raw(port)) {
            while (true) {
                String path = "/" + next.incrementAndGet();
                var answer = new StringBuilder();
                try {
                    peer.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
                    peer.readInto(answer, "0\r\n\r\n");
                } catch (IOException e) {
                    if (!answer.isEmpty()) cut.add(path + ": " + answer);
                    return true;
                }
                acknowledged.add(path);
                if (answer.indexOf("Connection: close") >= 0) return true;
            }
        } catch (IOException e) {
            return false;
        }
    }
}
