package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Completable;

/**
 * What a process does with a signal before, while and after somebody waits for it: in JVMs of their own, which it may
 * end.
 */
@Tag("E29")
@Tag("deep")
public abstract class SignalDispositionConformance {
    private Process child;
    private BufferedReader output;

    @AfterEach
    void end() {
        if (child != null) child.destroyForcibly();
    }

    private void start(String what) throws Exception {
        child = new ChildProgram()
                .defaultSignals()
                .options("-XX:TieredStopAtLevel=1")
                .begin(Program.class, what);
        output = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
    }

    private void send(String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(child.pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private String line() throws Exception {
        return output.readLine();
    }

    private int status() throws Exception {
        assertThat(child.waitFor(20, TimeUnit.SECONDS))
                .as("the child has ended")
                .isTrue();
        return child.exitValue();
    }

    @Test
    void waitedFor_jvmGoesOn() throws Exception {
        start("terminate twice");
        assertThat(line()).isEqualTo("waiting");
        send("TERM");
        assertThat(line()).isEqualTo("got SIGTERM");
        // nobody waits any more: the JVM ends as ever
        send("TERM");
        assertThat(line()).isEqualTo("hook");
        assertThat(status()).isEqualTo(143);
    }

    @Test
    void givenUp_defaultActionIsBack() throws Exception {
        start("cancel user signal");
        assertThat(line()).isEqualTo("given up");
        send("USR1");
        assertThat(status()).isEqualTo(138);
    }

    @Test
    @Tag("E28")
    void dropped_defaultActionIsBack() throws Exception {
        start("drop user signal");
        assertThat(line()).isEqualTo("dropped");
        // one that comes before the collector has told is lost
        for (int i = 0; i < 60 && child.isAlive(); i++) {
            send("USR1");
            if (child.waitFor(1, TimeUnit.SECONDS)) break;
        }
        assertThat(status()).isEqualTo(138);
    }

    @Test
    @Tag("E28")
    void runEnded_hooksRunAgain() throws Exception {
        start("end the run");
        assertThat(line()).isEqualTo("ended");
        send("INT");
        assertThat(line()).isEqualTo("hook");
        assertThat(status()).isEqualTo(130);
    }

    @Test
    void hangupWaitedFor_jvmGoesOn() throws Exception {
        start("hang up");
        assertThat(line()).isEqualTo("waiting");
        send("HUP");
        assertThat(line()).isEqualTo("got SIGHUP");
        assertThat(line()).isEqualTo("hook");
        assertThat(status()).isZero();
    }

    static final class Program {
        public static void main(String[] args) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> IO.println("hook")));
            switch (args[0]) {
                case "terminate twice" ->
                    Runs.run(() -> {
                        Completable<Signal> next = Signals.next(Signal.SIGTERM);
                        IO.println("waiting");
                        IO.println("got " + Async.await(next));
                        Async.delay(60_000);
                    });
                case "cancel user signal" ->
                    Runs.run(() -> {
                        Signals.next(Signal.SIGUSR1).cancel();
                        IO.println("given up");
                        Async.delay(60_000);
                    });
                case "drop user signal" ->
                    Runs.run(() -> {
                        Signals.next(Signal.SIGUSR1);
                        for (int i = 0; i < 20; i++) {
                            System.gc();
                            Async.delay(20);
                        }
                        IO.println("dropped");
                        Async.delay(60_000);
                    });
                case "end the run" -> {
                    Runs.run(() -> {
                        Signals.next(Signal.SIGINT);
                        Signals.next(Signal.SIGTERM);
                    });
                    IO.println("ended");
                    Thread.sleep(60_000);
                }
                case "hang up" ->
                    Runs.run(() -> {
                        Completable<Signal> next = Signals.next(Signal.SIGHUP);
                        IO.println("waiting");
                        IO.println("got " + Async.await(next));
                    });
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }
}
