package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.ChildProcess;
import org.trueasync.io.Exec;
import org.trueasync.io.ExecResult;
import org.trueasync.io.ExecTimeoutException;
import org.trueasync.io.Signal;

/** Child processes as coroutines see them, on whatever reactor. */
public abstract class ChildConformance {
    private static final Duration SOON = Duration.ofMillis(200);

    private final ReactorKit kit;
    private final TestRun run;

    protected ChildConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    private void withChildren(Body body) {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes");
        run.run(() -> {
            body.run();
            // closing takes a turn
            for (int i = 0; i < 500 && Async.runtimeStats().reactorHandles() > 0; i++) Async.delay(1);
            assertThat(Async.runtimeStats().reactorHandles()).isZero();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
        assertThat(run.complaints()).isEmpty();
    }

    private static Exec sh(String script) {
        return Exec.of("sh", "-c", script);
    }

    /**
     * Runs a command with one limit after another, each longer, until it has written something before its time ran out:
     * the limit is not to depend on how long a start takes.
     */
    private static ExecTimeoutException timedOut(Exec command) {
        for (Duration limit = SOON; ; limit = limit.multipliedBy(2)) {
            Exec limited = command.timeout(limit);
            var timeout = catchThrowableOfType(ExecTimeoutException.class, limited::run);
            assertThat(timeout).isNotNull();
            assertThat(timeout.after()).isEqualTo(limit);
            if (timeout.soFar().out().length > 0) return timeout;
        }
    }

    /**
     * As {@link #timedOut(Exec)}; again if not all of its output has come. The rest of it is waited for half a second
     * only, and a reactor may need threads of its own to read it.
     */
    private static ExecTimeoutException timedOut(Exec command, int length) {
        ExecTimeoutException timeout = timedOut(command);
        for (int i = 0; i < 4 && timeout.soFar().out().length != length; i++) timeout = timedOut(command);
        return timeout;
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static void awaitGone(long pid) {
        for (int i = 0; isAlive(pid) && i < 5_000; i++) Async.delay(1);
        assertThat(isAlive(pid)).as("process " + pid + " lives").isFalse();
    }

    private static byte[] noise(int size) {
        byte[] bytes = new byte[size];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    // ---- results

    @Test
    @Tag("E44")
    void childEnds_exitCodeOutputAndErrorsAreThere() {
        withChildren(() -> {
            ExecResult result =
                    sh("cat; echo oops >&2; exit 3").input("from the parent").run();
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(result.signal()).isZero();
            assertThat(result.isSuccess()).isFalse();
            assertThat(result.outText()).isEqualTo("from the parent");
            assertThat(result.errText()).isEqualTo("oops\n");
            for (int code : new int[] {0, 1, 42, 127, 128, 255})
                assertThat(sh("exit " + code).run().exitCode()).isEqualTo(code);
        });
    }

    @Test
    @Tag("E44")
    void childKilledBySignal_statusIs128AndTheSignal() {
        withChildren(() -> {
            ExecResult killed = sh("kill -KILL $$").run();
            assertThat(killed.exitCode()).isEqualTo(137);
            assertThat(killed.signal()).isEqualTo(9);
            assertThat(sh("kill -TERM $$").run().exitCode()).isEqualTo(143);
        });
    }

    @Test
    void nothingGiven_childReadsNothing() {
        withChildren(() -> {
            assertThat(Exec.of("cat").run().out()).isEmpty();
            assertThat(Exec.of("cat").input("").run().out()).isEmpty();
        });
    }

    @Test
    void arguments_reachTheProgramAsTheyAre() {
        withChildren(() -> {
            List<String> odd = List.of("", " a  b ", "$HOME", "*", "\"'\\", "-n", "line\nbreak", "ünï", ";exit 1");
            var command = new ArrayList<>(List.of("printf", "[%s]\\n"));
            command.addAll(odd);
            String expected = odd.stream().map(a -> "[" + a + "]\n").reduce("", String::concat);
            assertThat(Exec.of(command).run().outText()).isEqualTo(expected);
        });
    }

    @Test
    void directoryAndEnvironment_areTheChilds(@TempDir Path folder) {
        withChildren(() -> {
            Path real = folder.toRealPath();
            assertThat(Exec.of("pwd").directory(real).run().outText().strip()).isEqualTo(real.toString());
            assertThat(sh("echo \"$A-$B-$HOME\"")
                            .env("A", "1")
                            .env("B", "x y = z")
                            .withoutEnv("HOME")
                            .run()
                            .outText())
                    .isEqualTo("1-x y = z-\n");
            assertThat(Exec.of("env").environment(Map.of("ONLY", "this")).run().outLines())
                    .containsExactly("ONLY=this");
            assertThat(Exec.of("env").clearEnvironment().run().out()).isEmpty();
            assertThat(Exec.of("env").clearEnvironment().env("X", "ü").run().outText())
                    .isEqualTo("X=ü\n");
            assertThat(sh("echo \"$PATH\"").run().outText().strip()).isEqualTo(System.getenv("PATH"));
        });
    }

    @Test
    void errorsMerged_keepTheirPlaceInTheOutput() {
        withChildren(() -> {
            ExecResult result =
                    sh("echo a; echo b >&2; echo c; echo d >&2").mergeError().run();
            assertThat(result.outLines()).containsExactly("a", "b", "c", "d");
            assertThat(result.err()).isEmpty();
        });
    }

    @Test
    void discarded_isNotThere() {
        withChildren(() -> {
            ExecResult result = sh("echo a; echo b >&2; exit 4")
                    .discardOutput()
                    .discardError()
                    .run();
            assertThat(result.exitCode()).isEqualTo(4);
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).isEmpty();
        });
    }

    @Test
    void childOpensItsStandardStreamsByName_works() {
        withChildren(() -> {
            ExecResult result = sh("cat /dev/stdin > /dev/stdout; echo e > /dev/stderr")
                    .input("again")
                    .run();
            assertThat(result.outText()).isEqualTo("again");
            assertThat(result.errText()).isEqualTo("e\n");
        });
    }

    // ---- lines

    @Test
    @Tag("E45")
    void lines_areSplitAsPromised() {
        withChildren(() -> {
            String printed = "plain\\n  leading\\ntrailing \\t\\n\\ncrlf\\r\\n\\ra\\nlast";
            var expected = List.of("plain", "  leading", "trailing", "", "crlf", "\ra", "last");
            assertThat(Exec.of("printf", printed).run().outLines()).isEqualTo(expected);
            var streamed = new ArrayList<String>();
            assertThat(Exec.of("printf", printed).lines(streamed::add).exitCode())
                    .isZero();
            assertThat(streamed).isEqualTo(expected);
            assertThat(Exec.of("printf", "a\\n\\n").run().outLines()).containsExactly("a", "");
            assertThat(Exec.of("printf", "").run().outLines()).isEmpty();
        });
    }

    @Test
    @Tag("E45")
    void lineLongerThanAnyBuffer_staysWhole() {
        withChildren(() -> {
            var lengths = new ArrayList<Integer>();
            sh("head -c 3000000 /dev/zero | tr '\\0' 'x'; echo; echo y; head -c 200000 /dev/zero | tr '\\0' 'z'")
                    .lines(line -> lengths.add(line.length()));
            assertThat(lengths).containsExactly(3_000_000, 1, 200_000);
        });
    }

    @Test
    @Tag("E45")
    void linesAreDelivered_whileTheChildRuns() {
        withChildren(() -> {
            var seen = new ArrayList<String>();
            Path flag = Files.createTempDirectory("trueasync").resolve("flag");
            sh("echo first; while [ ! -e \"$F\" ]; do sleep 0.01; done; echo second; echo bad >&2; exit 7")
                    .env("F", flag.toString())
                    .lines(line -> {
                        seen.add(line);
                        if (seen.size() == 1) create(flag);
                    });
            assertThat(seen).containsExactly("first", "second");
        });
    }

    private static void create(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void consumerThrows_childIsEndedAndTheErrorIsThrown() {
        withChildren(() -> {
            var pid = new AtomicLong();
            assertThatThrownBy(() -> sh("echo $$; sleep 1000").lines(line -> {
                        pid.set(Long.parseLong(line));
                        throw new IllegalStateException("enough");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("enough");
            assertThat(isAlive(pid.get())).isFalse();
        });
    }

    // ---- much output and input

    @Test
    @Tag("E45")
    @Tag("deep")
    void pipelineWith100MegabytesOfOutput_allOfItComes() {
        withChildren(() -> {
            int size = 100_000_000;
            ExecResult whole = sh("head -c " + size + " /dev/zero | tr '\\0' 'a' | cat")
                    .maxOutput(size)
                    .run();
            assertThat(whole.out()).hasSize(size);
            assertThat(whole.out()[size - 1]).isEqualTo((byte) 'a');
            long[] lines = {0};
            long[] sum = {0};
            sh("seq 1 12000000 | cat").lines(line -> {
                lines[0]++;
                sum[0] += line.length();
            });
            assertThat(lines[0]).isEqualTo(12_000_000);
            assertThat(sum[0]).isEqualTo(84_888_897L);
        });
    }

    @Test
    void megabytesThroughTheChild_comeBackUnchanged() {
        withChildren(() -> {
            byte[] bytes = noise(20_000_000);
            assertThat(Exec.of("cat").input(bytes).run().out()).isEqualTo(bytes);
            assertThat(Exec.of("cat")
                            .input(new ByteArrayInputStream(bytes))
                            .run()
                            .out())
                    .isEqualTo(bytes);
        });
    }

    @Test
    void childDoesNotReadItsInput_itsResultCounts() {
        withChildren(() -> {
            byte[] bytes = noise(5_000_000);
            assertThat(sh("exit 5").input(bytes).run().exitCode()).isEqualTo(5);
            assertThat(sh("head -c 10 >/dev/null; exit 6")
                            .input(new ByteArrayInputStream(bytes))
                            .run()
                            .exitCode())
                    .isEqualTo(6);
        });
    }

    @Test
    void sourceOfTheInputFails_childIsEndedAndTheErrorIsThrown() {
        withChildren(() -> {
            var broken = new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("the disk is gone");
                }
            };
            assertThatThrownBy(() -> sh("cat; sleep 1000").input(broken).run())
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("the disk is gone");
        });
    }

    @Test
    void outputOverTheLimit_childIsEndedAndTheErrorNamesTheWayOut() {
        withChildren(() -> {
            assertThatThrownBy(() -> Exec.of("yes").maxOutput(100_000).run())
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("longer than 100000 bytes")
                    .hasMessageContaining("maxOutput");
            assertThatThrownBy(() -> sh("yes >&2").maxOutput(100_000).run()).hasMessageContaining("error output of sh");
            ExecResult cut = sh("head -c 300000 /dev/zero; exit 2")
                    .maxOutput(1000)
                    .truncateOutput()
                    .run();
            assertThat(cut.out()).hasSize(1000);
            assertThat(cut.truncated()).isTrue();
            assertThat(cut.exitCode()).isEqualTo(2);
            ExecResult exact =
                    Exec.of("head", "-c", "1000", "/dev/zero").maxOutput(1000).run();
            assertThat(exact.out()).hasSize(1000);
            assertThat(exact.truncated()).isFalse();
            assertThatThrownBy(() -> Exec.of("head", "-c", "300000", "/dev/zero")
                            .maxOutput(1000)
                            .lines(line -> {}))
                    .hasMessageContaining("a line of the output");
            // a line that comes at once, with its end
            assertThatThrownBy(() -> sh("printf '%01001d\\n' 1").maxOutput(1000).lines(line -> {}))
                    .hasMessageContaining("a line of the output");
        });
    }

    // ---- limits of time, cancellation

    @Test
    void timeout_endsTheChildAndKeepsWhatCame() {
        withChildren(() -> {
            ExecTimeoutException e = timedOut(sh("echo bad >&2; echo $$; exec sleep 1000"));
            assertThat(e.soFar().errText()).isEqualTo("bad\n");
            assertThat(isAlive(Long.parseLong(e.soFar().outText().strip()))).isFalse();
            assertThat(e)
                    .hasMessageStartingWith("sh timed out after " + e.after().toMillis() + " ms and was ended");
        });
    }

    @Test
    @Tag("deep")
    void childIgnoresTerm_isKilledAfterTheGrace() {
        withChildren(() -> {
            ExecTimeoutException e = timedOut(
                    sh("trap '' TERM; echo $$; while :; do sleep 0.05; done").grace(SOON));
            assertThat(e.soFar().signal()).isEqualTo(9);
            assertThat(isAlive(Long.parseLong(e.soFar().outText().strip()))).isFalse();
        });
    }

    @Test
    @Tag("deep")
    @Tag("E45")
    void childEndsInItsOwnWayAfterTerm_whatItStillWritesIsCaptured() {
        withChildren(() -> {
            Exec command = sh("trap 'head -c 200000 /dev/zero; exit 9' TERM; echo; while :; do sleep 0.05; done")
                    .grace(Duration.ofSeconds(30));
            var all = new ArrayList<Coroutine<ExecTimeoutException>>();
            for (int i = 0; i < 10; i++) all.add(Async.spawn(() -> timedOut(command, 200_001)));
            for (var each : all) {
                ExecResult soFar = each.await().soFar();
                assertThat(soFar.exitCode()).isEqualTo(9);
                assertThat(soFar.out().length).isEqualTo(200_001);
            }
        });
    }

    @Test
    @Tag("deep")
    void timeout_endsTheDescendantsToo() {
        withChildren(() -> {
            ExecTimeoutException e = timedOut(sh("sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.05; done' & wait")
                    .grace(SOON));
            awaitGone(Long.parseLong(e.soFar().outText().strip()));
        });
    }

    @Test
    @Tag("F72")
    void grandchildKeepsTheOutputOpen_runWaitsUntilItEnds() {
        withChildren(() -> {
            // $$ is the child in its subshell too: it is gone once it has ended and the reactor knows
            ExecResult result = sh("(while kill -0 $$ 2>&-; do sleep 0.05; done; sleep 0.2; echo late) & echo early")
                    .run();
            assertThat(result.outLines()).containsExactly("early", "late");
            ExecTimeoutException e = timedOut(sh("sleep 1000 & echo $!"));
            ProcessHandle.of(Long.parseLong(e.soFar().outText().strip())).ifPresent(ProcessHandle::destroyForcibly);
        });
    }

    /** Whatever a reactor does to start a child, the JDK's waits among it: no moment swallows the cancellation. */
    @Test
    @Tag("D13")
    @Tag("deep")
    void cancelledAtAnyMoment_endsAsCancelled() {
        withChildren(() -> {
            for (int i = 0; i < 60; i++) {
                Coroutine<?> running =
                        Async.spawn(() -> Exec.of("sleep", "1000").run());
                long until = System.nanoTime() + i * 100_000L;
                do Async.suspend();
                while (System.nanoTime() < until);
                running.cancel();
                // what it waits for comes before it runs again
                until = System.nanoTime() + 5_000_000;
                while (System.nanoTime() < until) Thread.onSpinWait();
                assertThatThrownBy(() -> Async.await(running)).isInstanceOf(AsyncCancellation.class);
            }
        });
    }

    @Test
    void cancelledWhileRunning_childIsReapedBeforeTheCancellationArrives() {
        withChildren(() -> {
            var pid = new AtomicLong();
            Coroutine<?> running = Async.spawn(() -> {
                try {
                    sh("echo $$; exec sleep 1000").lines(line -> pid.set(Long.parseLong(line)));
                } catch (AsyncCancellation e) {
                    assertThat(isAlive(pid.get())).isFalse();
                    throw e;
                }
            });
            while (pid.get() == 0) Async.delay(1);
            running.cancel();
            assertThatThrownBy(() -> Async.await(running)).isInstanceOf(AsyncCancellation.class);
            assertThat(isAlive(pid.get())).isFalse();
        });
    }

    @Test
    void tokenEnds_childIsEnded() {
        withChildren(() -> {
            assertThatThrownBy(() -> Exec.of("sleep", "1000").run(Async.timeout(SOON)))
                    .isInstanceOf(OperationCanceledException.class);
            Coroutine<?> ended = Async.spawn(() -> "over");
            Async.await(ended);
            assertThatThrownBy(() -> Exec.of("sleep", "1000").run(ended))
                    .isInstanceOf(OperationCanceledException.class);
        });
    }

    // ---- what can't be started

    @Test
    void noSuchProgram_isToldAndNothingIsLeft(@TempDir Path folder) {
        withChildren(() -> {
            assertThatThrownBy(() -> Exec.of("no-such-program-anywhere").run())
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("ENOENT"))
                    .hasMessageContaining("no-such-program-anywhere");
            assertThatThrownBy(() -> Exec.of("/no/such/program").run())
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("ENOENT"))
                    .hasMessageContaining("/no/such/program");
            Path plain = Files.writeString(folder.resolve("plain"), "#!/bin/sh\n");
            Files.setPosixFilePermissions(plain, PosixFilePermissions.fromString("rw-r--r--"));
            assertThatThrownBy(() -> Exec.of(plain.toString()).start())
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("EACCES"));
            assertThatThrownBy(() ->
                            Exec.of("true").directory(folder.resolve("no")).run())
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining(folder.resolve("no").toString());
        });
    }

    @Test
    void scriptWithoutAFirstLine_isRefusedWithTheSystemsErrorOrReadBySh(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "exit 7\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        withChildren(() -> {
            try {
                assertThat(Exec.of(script.toString()).run().exitCode()).isEqualTo(7);
            } catch (InputOutputException e) {
                assertThat(e.errno()).isEqualTo("ENOEXEC");
            }
        });
    }

    @Test
    void detachedWhileSomebodyAwaitsItsEnd_theWaiterIsTold() {
        withChildren(() -> {
            var child = Exec.of("cat").start();
            var waiter = Async.spawn(() -> assertThatThrownBy(child::await)
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("ECHILD")));
            Async.suspend();
            child.detach();
            Async.await(waiter);
        });
    }

    @Test
    void detachedWhileSomebodyEndsIt_endingIsOverAndTheChildGoesOn() {
        withChildren(() -> {
            ChildProcess child = sh("trap '' TERM; echo; while :; do sleep 0.05; done")
                    .grace(Duration.ofMinutes(1))
                    .start();
            assertThat(child.stdout().read(ByteBuffer.allocate(10))).isOne();
            Coroutine<?> ending = Async.spawn(child::close);
            while (ending.awaitingInfo().stream().noneMatch(info -> info.startsWith("end of child process")))
                Async.delay(1);
            child.detach();
            Async.await(ending);
            assertThat(isAlive(child.pid())).isTrue();
            ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
            awaitGone(child.pid());
        });
    }

    @Test
    void argumentsLongerThanTheSystemAllows_areRefused() {
        withChildren(() -> assertThatThrownBy(
                        () -> Exec.of("echo", "x".repeat(8_000_000)).run())
                .isInstanceOfSatisfying(
                        InputOutputException.class, e -> assertThat(e.errno()).isEqualTo("E2BIG")));
    }

    @Test
    void wordsThatNoProgramCanGet_areRefused() {
        withChildren(() -> {
            for (Body wrong : List.<Body>of(
                    () -> Exec.of(),
                    () -> Exec.of(""),
                    () -> Exec.of("echo", "a\0b"),
                    () -> Exec.of("a\0b"),
                    () -> Exec.of("echo").env("A=B", "x"),
                    () -> Exec.of("echo").env("", "x"),
                    () -> Exec.of("echo").env("A", "x\0"),
                    () -> Exec.of("echo").environment(Map.of("A\0", "x")),
                    () -> Exec.of("./echo").run(),
                    () -> Exec.of("bin/echo").start(),
                    () -> Exec.of("echo").maxOutput(-1),
                    () -> Exec.of("echo").timeout(Duration.ZERO),
                    () -> Exec.of("echo").grace(Duration.ofMillis(-1)))) {
                assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> Exec.of("cat").input("x").start()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> Exec.of("cat").timeout(SOON).start()).isInstanceOf(IllegalStateException.class);
        });
    }

    // ---- children with pipes

    @Test
    @Tag("E37")
    void tryReadFromAChild_hasNothingUntilItWrites() {
        withChildren(() -> {
            try (ChildProcess child = Exec.of("cat").start()) {
                var into = ByteBuffer.allocate(100);
                for (int i = 0; i < 5; i++) {
                    assertThat(child.stdout().tryRead(into)).isZero();
                    child.stdin().write(ByteBuffer.wrap(("line " + i).getBytes(StandardCharsets.UTF_8)));
                    while (into.position() < 4) if (child.stdout().tryRead(into.limit(4)) == 0) Async.delay(1);
                    while (into.position() < 6) child.stdout().read(into.limit(6));
                    assertThat(StandardCharsets.UTF_8.decode(into.flip()).toString())
                            .isEqualTo("line " + i);
                    into.clear();
                }
                assertThatThrownBy(() -> child.stdin().tryRead(into))
                        .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                                .isEqualTo("EBADF"));
                child.stdin().close();
                int count;
                while ((count = child.stdout().tryRead(into)) == 0) Async.delay(1);
                assertThat(count).isEqualTo(-1);
                assertThat(child.await()).isZero();
            }
        });
    }

    @Test
    void conversation_goesBothWays() {
        withChildren(() -> {
            try (ChildProcess child = Exec.of("cat").start()) {
                var into = ByteBuffer.allocate(100);
                for (int i = 0; i < 10; i++) {
                    child.stdin().write(ByteBuffer.wrap(("line " + i).getBytes(StandardCharsets.UTF_8)));
                    into.clear();
                    while (into.position() < 6) child.stdout().read(into);
                    assertThat(StandardCharsets.UTF_8.decode(into.flip()).toString())
                            .isEqualTo("line " + i);
                }
                assertThat(child.isAlive()).isTrue();
                assertThatThrownBy(child::exitCode).isInstanceOf(IllegalStateException.class);
                child.stdin().close();
                assertThat(child.stdout().read(into.clear())).isEqualTo(-1);
                assertThat(child.await()).isZero();
                assertThat(child.exitCode()).isZero();
                assertThat(child.await()).isZero();
            }
        });
    }

    @Test
    void severalWaitForTheEnd_allAreTold() {
        withChildren(() -> {
            try (ChildProcess child = Exec.of("cat").start()) {
                var waiting = new ArrayList<Coroutine<Integer>>();
                for (int i = 0; i < 5; i++) waiting.add(Async.spawn(() -> child.await()));
                Async.suspend();
                waiting.get(2).cancel();
                assertThatThrownBy(() -> child.await(Async.timeout(SOON)))
                        .isInstanceOf(OperationCanceledException.class);
                assertThat(child.kill(Signal.SIGTERM)).isTrue();
                for (int i = 0; i < 5; i++)
                    if (i != 2) assertThat(Async.await(waiting.get(i))).isEqualTo(143);
                assertThat(child.kill(Signal.SIGTERM)).isFalse();
            }
        });
    }

    @Test
    void closed_childIsEndedAndReaped() {
        withChildren(() -> {
            long pid;
            try (ChildProcess child = Exec.of("sleep", "1000").start()) {
                pid = child.pid();
                assertThat(isAlive(pid)).isTrue();
            }
            assertThat(isAlive(pid)).isFalse();
        });
    }

    @Test
    void detached_childGoesOnAndIsReapedWhenItEnds() {
        withChildren(() -> {
            ChildProcess child = Exec.of("sleep", "1000").start();
            long pid = child.pid();
            child.detach();
            assertThat(isAlive(pid)).isTrue();
            assertThatThrownBy(() -> child.kill(Signal.SIGTERM)).isInstanceOf(InputOutputException.class);
            assertThatThrownBy(child::await).isInstanceOf(InputOutputException.class);
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            awaitGone(pid);
        });
    }

    @Test
    @Tag("F27")
    void runEndsBeforeTheChild_childGoesOnAndIsReapedWhenItEnds() throws Exception {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes");
        var pid = new AtomicLong();
        run.run(() -> pid.set(Exec.of("sleep", "1000").start().pid()));
        assertThat(isAlive(pid.get())).isTrue();
        ProcessHandle child = ProcessHandle.of(pid.get()).orElseThrow();
        child.destroyForcibly();
        child.onExit().get(10, java.util.concurrent.TimeUnit.SECONDS);
        for (int i = 0; i < 1_000 && isAlive(pid.get()); i++) Thread.sleep(5);
        assertThat(isAlive(pid.get())).as("a zombie is left").isFalse();
    }

    @Test
    @Tag("F20")
    void childRunsLongerThanAnythingElse_isNoDeadlock() {
        withChildren(() -> {
            Coroutine<ExecResult> only =
                    Async.spawn(() -> Exec.of("sleep", "0.1").run());
            assertThat(Async.await(only).exitCode()).isZero();
        });
    }

    // ---- many

    @Test
    @Tag("E44")
    @Tag("deep")
    void manyChildrenAtOnce_eachGetsItsOwnResult() {
        withChildren(() -> {
            var all = new ArrayList<Coroutine<ExecResult>>();
            for (int i = 0; i < 200; i++) {
                int number = i;
                all.add(Async.spawn(() -> sh("read line; echo \"$line " + number + "\"; exit " + number)
                        .input("child\n")
                        .run()));
            }
            for (int i = 0; i < 200; i++) {
                ExecResult result = Async.await(all.get(i));
                assertThat(result.exitCode()).isEqualTo(i);
                assertThat(result.outText()).isEqualTo("child " + i + "\n");
            }
        });
    }

    @Test
    void childrenOfTheJdkBesideOurs_disturbNobody() {
        withChildren(() -> {
            Process before = new ProcessBuilder("sh", "-c", "read x; exit 11").start();
            Coroutine<ExecResult> ours =
                    Async.spawn(() -> sh("sleep 0.1; exit 12").run());
            Async.suspend();
            Process after = new ProcessBuilder("sh", "-c", "read x; exit 13").start();
            before.getOutputStream().close();
            after.getOutputStream().close();
            assertThat(Async.await(before.onExit()).exitValue()).isEqualTo(11);
            assertThat(Async.await(ours).exitCode()).isEqualTo(12);
            assertThat(Async.await(after.onExit()).exitValue()).isEqualTo(13);
            assertThat(sh("exit 14").run().exitCode()).isEqualTo(14);
        });
    }

    @Test
    @Tag("deep")
    void childrenOfSeveralRuntimes_disturbNobody() throws Exception {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes");
        var failures = java.util.Collections.synchronizedList(new ArrayList<Throwable>());
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 3; t++) {
            int base = t * 40;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    new TestRun(kit::create).run(() -> {
                        for (int i = 0; i < 20; i++)
                            assertThat(sh("exit " + (base + i)).run().exitCode())
                                    .isEqualTo(base + i);
                    });
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        assertThat(failures).isEmpty();
    }
}
