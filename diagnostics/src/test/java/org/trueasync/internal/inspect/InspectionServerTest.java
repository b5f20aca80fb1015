package org.trueasync.internal.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.Channel;
import org.trueasync.Coroutine;
import org.trueasync.Mutex;
import org.trueasync.Pool;
import org.trueasync.Scope;
import org.trueasync.Semaphore;
import org.trueasync.internal.testkit.VirtualReactor;

/** What is answered over the socket. The runtimes of a test are on threads of their own. */
class InspectionServerTest {
    @TempDir
    Path temporary;

    private InspectionServer server;
    private Path socket;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<AsyncRuntime> runtimes = new ArrayList<>();
    /** Scopes, and executors, which may bring work: so the runs are not deadlocked. */
    private final List<Object> kept = new CopyOnWriteArrayList<>();

    private final List<Thread> threads = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        var place = new SocketPlace(Map.of(), temporary);
        server = InspectionServer.open(place);
        socket = place.find(ProcessHandle.current().pid());
    }

    @AfterEach
    void end() throws InterruptedException {
        over.countDown();
        for (AsyncRuntime runtime : runtimes) runtime.shutdown(new AsyncCancellation("over"));
        for (Thread thread : threads) thread.join();
        server.close();
        assertThat(socket).doesNotExist();
    }

    /** Returns when the body has run; then main waits for a channel that is never filled. */
    private void run(String name, Body body) throws InterruptedException {
        run(name, body, () -> new Channel<String>().receive());
    }

    /** Returns when the body has run; then main waits. */
    private void run(String name, Body body, Body wait) throws InterruptedException {
        var runs = new CountDownLatch(1);
        AsyncRuntime runtime = Async.runtime()
                .name(name)
                .reactor(VirtualReactor::new)
                .spawnSites(true)
                .build();
        runtimes.add(runtime);
        threads.add(Thread.ofPlatform().start(() -> {
            try {
                runtime.run(() -> {
                    body.run();
                    kept.add(Async.executor());
                    spawn("last", () -> runs.countDown());
                    wait.run();
                });
            } catch (Throwable ended) {
                runs.countDown();
            }
        }));
        runs.await();
    }

    /** A runtime named {@code held}; returns when its coroutine {@code holder} holds the loop. */
    private void runHeld() throws InterruptedException {
        var holds = new CountDownLatch(1);
        run(
                "held",
                () -> spawn("holder", () -> {
                    suspend();
                    holds.countDown();
                    while (over.getCount() > 0) Thread.onSpinWait();
                }));
        holds.await();
    }

    private <T> T kept(T object) {
        kept.add(object);
        return object;
    }

    private String askRaw(String line) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String ask(String question) throws IOException {
        String answer = askRaw("trueasync-inspect 1 " + question);
        String head = "trueasync-inspect 1 ok\n";
        String end = "trueasync-inspect end\n";
        assertThat(answer).startsWith(head).endsWith(end);
        return answer.substring(head.length(), answer.length() - end.length());
    }

    @Test
    void socket_isItsOwnersAlone() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
    }

    @Test
    void otherVersionOfTheProtocol_isRefused() throws IOException {
        assertThat(askRaw("trueasync-inspect 2 tree"))
                .isEqualTo("trueasync-inspect 1 error it speaks version 1 of the protocol and was asked"
                        + " 'trueasync-inspect 2 tree': use the trueasync command of its own version\n"
                        + "trueasync-inspect end\n");
    }

    @Test
    void unknownQuestion_isRefused() throws IOException {
        assertThat(askRaw("trueasync-inspect 1 forest"))
                .startsWith("trueasync-inspect 1 error it does not know 'forest'\n");
    }

    @Test
    void tree_showsAllRuntimesWithTimesAndWhoCanEndAWait() throws Exception {
        run("first", () -> {
            var scope = kept(new Scope("requests"));
            for (int i = 0; i < 50; i++) scope.spawn(() -> new Channel<String>().receive());
        });
        run("second", () -> {
            var mutex = new Mutex();
            spawn("holder", () -> mutex.withLock(() -> new Channel<String>().receive()));
            spawn("wanter", () -> mutex.withLock(() -> 1));
        });
        assertThat(ask("tree"))
                .containsPattern("Runtime 'first': 5[12] coroutines") // "last" may just be ending
                .containsPattern("Runtime 'second': [34] coroutines")
                .containsPattern("\nscope 'requests', 50 coroutines, cancel interrupts\n"
                        + "  #\\d+ and 49 more alike, spawned InspectionServerTest.java:\\d+, suspended"
                        + " InspectionServerTest.java:\\d+, awaits receive from channel [^\n]*, waiting for [^\n]*\n")
                .containsPattern("'wanter' spawned [^\n]*, only #\\d+ 'holder' can end that\n");
    }

    @Test
    @SuppressWarnings("unchecked")
    void timeOfAWait_isThatSinceItBegan() throws Exception {
        run("main", () -> {
            spawn("early", () -> new Channel<String>().receive());
            delay(90_500);
            spawn("late", () -> new Channel<String>().receive());
            delay(3_000);
        });
        assertThat(ask("tree"))
                .containsPattern("'early' spawned [^\n]*, waiting for 1 min 33 s\n")
                .containsPattern("'late' spawned [^\n]*, waiting for 3.0 s\n");
        var dump = (Map<String, Object>) Json.parse(ask("json"));
        var runtime = ((List<Map<String, Object>>) dump.get("runtimes")).getFirst();
        var scope = ((List<Map<String, Object>>) runtime.get("scopes")).getFirst();
        assertThat((List<Map<String, Object>>) scope.get("coroutines"))
                .filteredOn(coroutine -> "early".equals(coroutine.get("name")))
                .singleElement()
                .satisfies(early -> assertThat((Double) early.get("sinceMillis"))
                        .as("a tick is a millisecond")
                        .isBetween(93_498.0, 93_502.0));
    }

    @Test
    void stats_areOfEachRuntime() throws Exception {
        run("first", () -> spawn(() -> new Channel<String>().receive()));
        run("second", () -> {});
        assertThat(ask("stats"))
                .containsPattern("(?s)Runtime 'first', waiting\n  coroutines   2: .*Runtime 'second', waiting\n"
                        + "  coroutines   1: ");
    }

    @Test
    void stuck_namesThoseThatNothingCanWake() throws Exception {
        var known = new AtomicReference<Channel<String>>();
        Body waitsForKnown = () -> {
            known.set(new Channel<>());
            known.get().receive();
        };
        run("all well", () -> {}, waitsForKnown);
        run(
                "not all well",
                () -> {
                    for (int i = 0; i < 3; i++) spawn("reader", () -> new Channel<String>().receive());
                    spawn("waits", () -> kept(new Semaphore(0)).acquire());
                },
                () -> kept(new Channel<String>()).receive());
        assertThat(ask("stuck"))
                .matches("Runtime 'all well': no coroutine is stuck, of 1 whose waits can be judged\n"
                        + "Runtime 'not all well': 3 coroutines are stuck: no running code can reach what they wait for;"
                        + " only a cancellation or the end of a scope can end that \\(trueasync explain stuck-coroutine\\)\n"
                        + "  #\\d+ 'reader' and 2 more alike \\([^\n]*\\), spawned InspectionServerTest.java:\\d+,"
                        + " suspended InspectionServerTest.java:\\d+, awaits receive from channel [^\n]*,"
                        + " waiting for [^\n]*\n"
                        + "      at [^\n]*InspectionServerTest[^\n]*\n");
    }

    @Test
    void heldLoop_isNamedAndTheOthersAreShown() throws Exception {
        run("free", () -> {});
        runHeld();
        assertThat(ask("ps")).startsWith("2\t").contains("\theld\t");
        assertThat(ask("tree"))
                .contains("Runtime 'free': 1 coroutine", "Loop 'held' is held by coroutine ", "'holder'")
                .contains("InspectionServerTest.lambda$runHeld");
        assertThat(ask("why")).contains("Loop 'held' is held by coroutine ");
    }

    @Test
    @Timeout(30)
    void heldLoop_doesNotKeepAnyoneWaitingForWhatIsStuck() throws Exception {
        run("free", () -> {});
        runHeld();
        assertThat(ask("stuck")).contains("Runtime 'free': ", "Loop 'held' is held by coroutine ");
    }

    @Test
    void why_namesMainFirstAndWhoWaitsForWhom() throws Exception {
        var joiner = new AtomicReference<Coroutine<?>>();
        run(
                "main",
                () -> {
                    Coroutine<?> reader = spawn("reader", () -> new Channel<String>().receive());
                    joiner.set(spawn("joiner", () -> await(reader)));
                },
                () -> await(joiner.get()));
        assertThat(ask("why"))
                .containsPattern(
                        "^Runtime 'main' goes on: main has not returned, and 2 more coroutines have not ended\n"
                                + "  #\\d+ main, suspended [^\n]*, awaits coroutine [^\n]*, waiting for ")
                .containsPattern("\n  #\\d+ waits for #\\d+ 'joiner', which waits for #\\d+ 'reader'\n");
    }

    @Test
    void why_followsTheLargestGroup() throws Exception {
        run("main", () -> {
            var ledger = new Mutex("ledger");
            var confirm = new Channel<String>("confirm");
            spawn("bookkeeper", () -> ledger.withLock(() -> confirm.send("booked")));
            for (int i = 0; i < 3; i++) spawn("clerk", () -> ledger.withLock(() -> {}));
        });
        assertThat(ask("why"))
                .containsPattern("\n  #\\d+ 'clerk' waits for #\\d+ 'bookkeeper'\n"
                        + "    #\\d+ 'bookkeeper' spawned [^\n]*awaits send to channel 'confirm'[^\n]*, waiting for ");
    }

    @Test
    void why_namesThoseWhoHaveTakenFromAPool() throws Exception {
        run("main", () -> {
            Pool<Object> pool = Pool.of(Object::new).name("db").max(1).build();
            spawn(
                    "report",
                    () -> pool.use(connection -> {
                        LockSupport.park();
                    }));
            for (int i = 0; i < 3; i++) spawn("query", () -> pool.acquire());
        });
        assertThat(ask("why"))
                .containsPattern("\n  what #\\d+ 'query' waits for was taken by\n"
                        + "    #\\d+ 'report' spawned [^\n]*InspectionServerTest.java[^\n]*");
    }

    @Test
    void processWithoutARuntime_saysSo() throws IOException {
        assertThat(ask("ps")).startsWith("0\t0\t0\tended\t");
        assertThat(ask("tree")).isEqualTo("No runtime in this process\n");
        assertThat(ask("stats")).isEqualTo("No runtime in this process\n");
        assertThat(ask("why")).startsWith("No runtime is left. The process goes on for ");
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonOfStats_needsNoLoop() throws Exception {
        runHeld();
        var answer = (Map<String, Object>) Json.parse(ask("json --stats"));
        var runtime = ((List<Map<String, Object>>) answer.get("runtimes")).getFirst();
        assertThat(runtime.keySet()).containsExactlyInAnyOrder("name", "state", "stats", "heldLoops");
        assertThat(runtime).containsEntry("state", "held");
    }

    @Test
    @SuppressWarnings("unchecked")
    void json_hasEveryCoroutineOnce() throws Exception {
        run("main", () -> {
            var scope = kept(new Scope("re\"quests"));
            for (int i = 0; i < 3_000; i++) scope.spawn(() -> new Channel<String>().receive());
        });
        var dump = (Map<String, Object>) Json.parse(ask("json"));
        var runtime = ((List<Map<String, Object>>) dump.get("runtimes")).getFirst();
        var scopes = (List<Map<String, Object>>) runtime.get("scopes");
        assertThat(scopes).extracting(scope -> scope.get("name")).containsExactly(null, "re\"quests");
        var coroutines = (List<Map<String, Object>>) scopes.get(1).get("coroutines");
        assertThat(coroutines).hasSize(3_000);
        assertThat(coroutines.stream().map(coroutine -> coroutine.get("id")).distinct())
                .hasSize(3_000);
        assertThat(coroutines.getFirst()).containsEntry("state", "waiting").containsEntry("main", false);
        assertThat((String) ((List<Object>) coroutines.getFirst().get("awaits")).getFirst())
                .startsWith("receive from channel");
        assertThat(runtime).containsEntry("unread", null).containsEntry("name", "main");
    }
}
