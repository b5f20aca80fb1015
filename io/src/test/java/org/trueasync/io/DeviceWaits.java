package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.trueasync.InputOutputException;
import org.trueasync.internal.run.SystemSignals;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TerminalHandle;

/** Waits of child processes, terminals and watchers. A command that was given up has ended its child. */
final class DeviceWaits extends WaitTable {
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"));

    DeviceWaits() {
        children();
        commands();
        terminals();
        watchers();
    }

    private static DeviceReactor reactor() {
        return (DeviceReactor) SchedulerProvider.get().reactor();
    }

    // ---- processes

    private void children() {
        for (String method : List.of("ChildProcess.await()", "ChildProcess.await(Completable)"))
            row(method, wait -> {
                ChildProcess child = Exec.of("sh").start();
                DeviceReactor.Child scripted = reactor().children.getLast();
                call(method, wait, token -> assertThat(takesToken(method) ? child.await(token) : child.await())
                        .isZero());
                wait.serve(() -> scripted.ends(0)).comesFromOutside().closes(child::close);
            });
        row("ChildProcess.close()", wait -> {
            ChildProcess child = Exec.of("sh").grace(AGES).start();
            DeviceReactor.Child scripted = reactor().children.getLast();
            scripted.mindsSignals = false;
            wait.call(child::close)
                    .serve(() -> scripted.ends(0))
                    .lastsToTheEnd()
                    .leaves(() -> assertThat(child.isAlive()).isFalse());
        });
    }

    private void commands() {
        command("Exec.run()", (exec, token) -> assertThat(exec.run().outText()).isEqualTo("line\n"));
        command(
                "Exec.run(Completable)",
                (exec, token) -> assertThat(exec.run(token).outText()).isEqualTo("line\n"));
        List<String> lines = new ArrayList<>();
        command("Exec.lines(Consumer)", (exec, token) -> exec.lines(lines::add));
        command("Exec.lines(Consumer, Completable)", (exec, token) -> exec.lines(lines::add, token));
    }

    private void command(String method, On<Exec> on) {
        row(method, wait -> {
            List<DeviceReactor.Child> children = reactor().children;
            int before = children.size();
            Exec exec = Exec.of("sh").grace(Duration.ofSeconds(1));
            call(method, wait, token -> on.call(exec, token));
            wait.serve(() -> {
                        DeviceReactor.Child child = children.getLast();
                        Objects.requireNonNull(child.output).receives("line\n");
                        child.ends(0);
                    })
                    .keepsNothing()
                    .leaves(() -> assertThat(children.subList(before, children.size()))
                            .allMatch(DeviceReactor.Child::isClosed));
        });
    }

    // ---- terminals

    private void terminals() {
        for (String method : List.of("Tty.read(ByteBuffer)", "Tty.read(ByteBuffer, Completable)"))
            terminal(method, "some", (tty, token) -> {
                ByteBuffer into = ByteBuffer.allocate(10);
                if (takesToken(method)) tty.read(into, token);
                else tty.read(into);
                assertThat(StandardCharsets.UTF_8.decode(into.flip()).toString())
                        .isEqualTo("some");
            });
        terminal("Tty.write(ByteBuffer)", null, (tty, token) -> tty.write(ByteBuffer.allocate(1_000_000)));
        terminal(
                "Tty.write(ByteBuffer, Completable)",
                null,
                (tty, token) -> tty.write(ByteBuffer.allocate(1_000_000), token));
        terminal(
                "Tty.write(ByteBuffer[])",
                null,
                (tty, token) -> tty.write(ByteBuffer.allocate(1_000_000), ByteBuffer.allocate(1)));
        behindAWriter("Tty.flush()", (tty, token) -> tty.flush());
        behindAWriter("Tty.flush(Completable)", (tty, token) -> tty.flush(token));
        for (String method : List.of("Tty.awaitResize(Size)", "Tty.awaitResize(Size, Completable)"))
            row(method, wait -> {
                Tty tty = Tty.stdin();
                DeviceReactor.Device device = reactor().terminals.getLast();
                TerminalHandle.Size before = tty.size();
                call(method, wait, token -> {
                    if (takesToken(method)) tty.awaitResize(before, token);
                    else tty.awaitResize(before);
                });
                wait.serve(() -> {
                            device.size = new TerminalHandle.Size(100, 25);
                            SystemSignals.raise("WINCH");
                        })
                        .needsThreads()
                        .closes(tty::close);
            });
    }

    private void terminal(String method, String comes, On<Tty> on) {
        row(method, wait -> {
            Tty tty = Tty.stdin();
            call(method, wait, token -> on.call(tty, token));
            useTerminal(wait, tty, comes);
        });
    }

    private void behindAWriter(String method, On<Tty> on) {
        row(method, wait -> {
            Tty tty = Tty.stdin();
            spawn(() -> {
                try {
                    tty.write(ByteBuffer.allocate(1_000_000));
                } catch (InputOutputException e) {
                    // closed at the end of the case
                }
            });
            delay(1);
            call(method, wait, token -> on.call(tty, token));
            useTerminal(wait, tty, null);
        });
    }

    private static void useTerminal(WaitCase wait, Tty tty, String comes) {
        DeviceReactor.Device device = reactor().terminals.getLast();
        wait.serve(() -> {
                    if (comes != null) device.receives(comes);
                    else device.takes();
                })
                .comesFromOutside()
                .closes(tty::close);
    }

    // ---- watchers

    private void watchers() {
        watcher("FileSystemWatcher.next()", (watcher, token) -> assertThat(watcher.next())
                .isNotNull());
        watcher("FileSystemWatcher.next(Completable)", (watcher, token) -> assertThat(watcher.next(token))
                .isNotNull());
        for (String method : List.of("FileSystemWatcher.1.hasNext", "FileSystemWatcher.1.next"))
            watcher(method, (watcher, token) -> {
                Iterator<FileSystemEvent> events = watcher.iterator();
                if (method.endsWith("hasNext")) assertThat(events.hasNext()).isTrue();
                assertThat(events.next().filename()).isEqualTo("name");
            });
    }

    private void watcher(String method, On<FileSystemWatcher> on) {
        row(method, wait -> {
            var watcher = new FileSystemWatcher(FOLDER);
            DeviceReactor.Watch watch = reactor().watches.getLast();
            call(method, wait, token -> on.call(watcher, token));
            wait.serve(() -> watch.changes("name")).comesFromOutside().closes(watcher::close);
        });
    }
}
