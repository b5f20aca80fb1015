package org.trueasync.io;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.spi.SchedulerProvider;

/** Waits of files on a slow disk. A read that was given up has moved no position; a write is whole or has not been. */
final class FileWaits extends WaitTable {
    private static final long QUICK = 1_000;
    private static final long SLOW = 200_000_000;
    private static final Path PATH = Path.of("/tmp/file");

    private int locked;

    FileWaits() {
        opening();
        reading();
        writing();
        asking();
        locking();
        sending();
    }

    private static DeviceReactor reactor() {
        return (DeviceReactor) SchedulerProvider.get().reactor();
    }

    private static void calls(long nanos) {
        reactor().files.faults().callNanos = nanos;
        reactor().files.faults().syncNanos = nanos;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A file, and what was done to it. */
    private static final class Subject {
        final AsyncFile file;
        int readings;
        char last = 'a';

        Subject(WaitCase wait) {
            calls(QUICK);
            file = AsyncFile.open(PATH, CREATE, READ, WRITE);
            file.truncate(0);
            file.write(bytes("0123456789"), 0);
            calls(SLOW);
            wait.serve(() -> delay(2_000)).elapses().closes(() -> {
                calls(QUICK);
                file.close();
            });
        }

        /** Four bytes that are the same, and other ones than those before. */
        ByteBuffer next() {
            last++;
            return bytes(String.valueOf(last).repeat(4));
        }

        String content() {
            calls(QUICK);
            ByteBuffer into = ByteBuffer.allocate(1_000);
            file.read(into, 0);
            return StandardCharsets.UTF_8.decode(into.flip()).toString();
        }
    }

    private interface OnFile {
        void call(Subject subject, org.trueasync.Completable<?> token) throws IOException;
    }

    private void file(String method, OnFile on) {
        row(method, wait -> {
            var subject = new Subject(wait);
            call(method, wait, token -> on.call(subject, token));
        });
    }

    // ---- opening and closing

    private void opening() {
        opens("AsyncFile.open(Path, OpenOption[])", token -> AsyncFile.open(PATH, CREATE, WRITE));
        opens("AsyncFile.open(Path, Set, FileAttribute[])", token -> AsyncFile.open(PATH, Set.of(CREATE, WRITE)));
        opens(
                "AsyncFile.open(Path, Set, Completable, FileAttribute[])",
                token -> AsyncFile.open(PATH, Set.of(CREATE, WRITE), token));
        row("AsyncFile.close()", wait -> {
            var subject = new Subject(wait);
            wait.call(subject.file::close).lastsToTheEnd().leaves(() -> assertThat(subject.file.isClosed())
                    .isTrue());
        });
    }

    private interface Opening {
        AsyncFile open(org.trueasync.Completable<?> token);
    }

    private void opens(String method, Opening opening) {
        row(method, wait -> {
            calls(SLOW);
            call(method, wait, token -> opening.open(token).close());
            wait.serve(() -> delay(2_000)).elapses();
        });
    }

    // ---- bytes

    private interface Reads {
        int read(AsyncFile file, ByteBuffer into, org.trueasync.Completable<?> token) throws IOException;
    }

    private void reads(String method, boolean moves, Reads reads) {
        file(method, (subject, token) -> {
            ByteBuffer into = ByteBuffer.allocate(4);
            assertThat(reads.read(subject.file, into, token)).isEqualTo(4);
            String expected = moves && subject.readings++ > 0 ? "4567" : "0123";
            assertThat(new String(into.array(), StandardCharsets.UTF_8)).isEqualTo(expected);
        });
    }

    private void reading() {
        reads("AsyncFile.read(ByteBuffer)", true, (file, into, token) -> file.read(into));
        reads("AsyncFile.read(ByteBuffer, Completable)", true, AsyncFile::read);
        reads("AsyncFile.read(ByteBuffer, long)", false, (file, into, token) -> file.read(into, 0));
        reads("AsyncFile.read(ByteBuffer, long, Completable)", false, (file, into, token) -> file.read(into, 0, token));
        reads("FileViews.FileChannel.read", true, (file, into, token) -> file.channel()
                .read(into));
        reads("AsyncFile.lines().read(ByteBuffer)", true, (file, into, token) -> file.lines()
                .read(into));
    }

    private interface Writes {
        void write(AsyncFile file, ByteBuffer from, org.trueasync.Completable<?> token) throws IOException;
    }

    private void writes(String method, boolean moves, Writes writes) {
        row(method, wait -> {
            var subject = new Subject(wait);
            call(method, wait, token -> writes.write(subject.file, subject.next(), token));
            wait.leaves(() -> {
                long written = moves ? subject.file.position() : 4;
                assertThat(written).isBetween(4L, (subject.last - 'a') * 4L);
                String content = subject.content();
                for (int at = 0; at < written; at += 4)
                    assertThat(content.substring(at, at + 4)).matches("(.)\\1\\1\\1");
                assertThat(content.charAt((int) written - 1)).isEqualTo(subject.last);
                assertThat(content.substring((int) written))
                        .isEqualTo("0123456789".substring(Math.min(10, (int) written)));
            });
        });
    }

    private void writing() {
        writes("AsyncFile.write(ByteBuffer)", true, (file, from, token) -> file.write(from));
        writes("AsyncFile.write(ByteBuffer, Completable)", true, AsyncFile::write);
        writes(
                "AsyncFile.write(ByteBuffer[])",
                true,
                (file, from, token) -> file.write(from.slice(0, 1), from.slice(1, 3)));
        writes("AsyncFile.write(ByteBuffer, long)", false, (file, from, token) -> file.write(from, 0));
        writes(
                "AsyncFile.write(ByteBuffer, long, Completable)",
                false,
                (file, from, token) -> file.write(from, 0, token));
        writes("FileViews.FileChannel.write", true, (file, from, token) -> file.channel()
                .write(from));
    }

    // ---- the rest

    private void asking() {
        file("AsyncFile.size()", (subject, token) -> assertThat(subject.file.size())
                .isEqualTo(10));
        file(
                "FileViews.FileChannel.size",
                (subject, token) -> assertThat(subject.file.channel().size()).isEqualTo(10));
        file(
                "AsyncFile.status()",
                (subject, token) -> assertThat(subject.file.status().size()).isEqualTo(10));
        file("AsyncFile.truncate(long)", (subject, token) -> subject.file.truncate(5));
        file(
                "FileViews.FileChannel.truncate",
                (subject, token) -> subject.file.channel().truncate(5));
        file("AsyncFile.sync(boolean)", (subject, token) -> subject.file.sync(true));
        file("AsyncFile.sync(boolean, Completable)", (subject, token) -> subject.file.sync(true, token));
        file("FileViews.FileInput.skip", (subject, token) -> assertThat(
                        subject.file.inputStream().skip(2))
                .isEqualTo(2));
        behindACall("AsyncFile.flush()", (subject, token) -> subject.file.flush());
        behindACall("AsyncFile.flush(Completable)", (subject, token) -> subject.file.flush(token));
        behindACall("AsyncFile.seek(long)", (subject, token) -> {
            subject.file.seek(5);
            assertThat(subject.file.position()).isEqualTo(5);
        });
        behindACall(
                "FileViews.FileChannel.position",
                (subject, token) -> subject.file.channel().position(5));
    }

    private void behindACall(String method, OnFile on) {
        row(method, wait -> {
            var subject = new Subject(wait);
            spawn(() -> {
                try {
                    subject.file.sync(true);
                } catch (InputOutputException e) {
                    // closed at the end of the case
                }
            });
            delay(1);
            call(method, wait, token -> on.call(subject, token));
        });
    }

    private void locking() {
        locks("AsyncFile.lock()", (file, token) -> file.lock());
        locks("AsyncFile.lock(Completable)", (file, token) -> file.lock(token));
        locks("AsyncFile.lock(long, long, boolean)", (file, token) -> file.lock(5, 5, false));
        locks("AsyncFile.lock(long, long, boolean, Completable)", (file, token) -> file.lock(5, 5, false, token));
        for (String method : List.of("AsyncFile.tryLock()", "AsyncFile.tryLock(long, long, boolean)"))
            row(method, wait -> {
                var subject = new Subject(wait);
                wait.call(() -> {
                            AsyncFileLock lock =
                                    method.endsWith("()") ? subject.file.tryLock() : subject.file.tryLock(5, 5, false);
                            // one that comes after its caller has left is given back, and is there until then
                            if (lock != null) lock.close();
                        })
                        .leaves(() -> isFree(subject.file));
            });
    }

    private static void isFree(AsyncFile file) {
        delay(1_000);
        Objects.requireNonNull(file.tryLock(), "still locked").close();
    }

    private interface Locks {
        AsyncFileLock lock(AsyncFile file, org.trueasync.Completable<?> token);
    }

    /** Another one has the lock. */
    private void locks(String method, Locks locks) {
        row(method, wait -> {
            calls(QUICK);
            AsyncFile file = AsyncFile.open(Path.of("/tmp/locked" + locked++), CREATE, READ, WRITE);
            AsyncFileLock other = file.lock();
            call(method, wait, token -> locks.lock(file, token).close());
            wait.serve(other::close).leaves(() -> isFree(file)).closes(file::close);
        });
    }

    private void sending() {
        for (String method : List.of(
                "AsyncFile.sendTo(ByteStream, long, long)", "AsyncFile.sendTo(ByteStream, long, long, Completable)"))
            row(method, wait -> {
                var subject = new Subject(wait);
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                Coroutine<TcpStream> accepted = spawn(() -> server.accept());
                TcpStream near = TcpStream.connect("127.0.0.1", server.port());
                TcpStream far = Async.await(accepted);
                call(method, wait, token -> {
                    if (takesToken(method)) subject.file.sendTo(near, 0, 10, token);
                    else subject.file.sendTo(near, 0, 10);
                });
                wait.leaves(() -> {
                            near.shutdownOutput();
                            String got = new String(far.inputStream().readAllBytes(), StandardCharsets.UTF_8);
                            assertThat(got).endsWith("0123456789");
                        })
                        .closes(server::close)
                        .closes(near::close)
                        .closes(far::close);
            });
    }
}
