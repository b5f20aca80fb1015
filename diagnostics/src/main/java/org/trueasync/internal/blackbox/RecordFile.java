package org.trueasync.internal.blackbox;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.Coroutine;
import org.trueasync.diagnostics.Ledger.Part;
import org.trueasync.internal.diagnostics.Texts;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.watchdog.Hold;
import org.trueasync.internal.watchdog.Watchdog;

/**
 * The black box as a text. A line is a word and its fields, parted by tabs; times are nanoseconds before or after the
 * moment of the first line.
 *
 * <pre>
 *  trueasync-black-box VERSION PID TIME REASON
 *  pause FROM TO TEXT               a pause of the garbage collector
 *  runtime NAME                     what follows is about its loop
 *  known ID LABEL AWAITS            a coroutine that has not ended
 *  held FROM TO HOLDER STACK
 *  request FROM TO NAME TEXT [KIND NANOS WHAT]...
 *                                   a ledger that was closed, and its parts
 *  spawn TIME ID BY LABEL
 *  run TIME ID
 *  leave TIME ID                    its turn ends
 *  wake TIME ID BY TEXT             and what it had waited for; BY is 0 for a timer, a socket, another thread
 *  park ID TEXT                     it has left because JDK code has parked it
 *  end TIME ID OUTCOME
 *  sleep FROM TO                    of the loop
 *  complete                         missing in a text that was cut off
 * </pre>
 */
public final class RecordFile {
    /** Begins the first line. */
    public static final String HEAD = "trueasync-black-box";

    /** Goes up with each change that a reader must know of. */
    public static final int VERSION = 1;

    private static final String[] OUTCOMES = {"completed", "failed", "cancelled"};
    private static final int MAX_KNOWN = 5_000;
    private static final long PATIENCE_MILLIS = 500;
    private static final FileAttribute<?> OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final AtomicInteger WRITTEN = new AtomicInteger();

    private final Writer out;
    private final Instant moment = Instant.now();
    private final long momentNanos = System.nanoTime();

    private RecordFile(Writer out) {
        this.out = out;
    }

    /**
     * Writes a file with a name of its own.
     *
     * @param reason why
     * @return the file
     */
    static Path write(String reason) throws IOException {
        Path directory = Path.of(System.getProperty(Limits.DIRECTORY, ""));
        while (true) {
            String name = "trueasync-" + ProcessHandle.current().pid() + "-" + WRITTEN.incrementAndGet() + ".box";
            Path file = directory.resolve(name);
            // left by an earlier process: in a container each has the same number
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) continue;
            Path part = directory.resolve(name + ".part");
            try (Writer out = create(part)) {
                write(out, reason);
            } catch (FileAlreadyExistsException left) {
                continue;
            } catch (IOException e) {
                Files.deleteIfExists(part);
                throw e;
            }
            return Files.move(part, file);
        }
    }

    /**
     * A new file that only its owner reads: it may name paths, statements and messages of the program.
     *
     * @throws FileAlreadyExistsException if there is something of that name, a link too
     */
    public static Writer create(Path file) throws IOException {
        boolean hasRights = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] rights = hasRights ? new FileAttribute<?>[] {OWNER} : new FileAttribute<?>[0];
        return new BufferedWriter(Channels.newWriter(
                Files.newByteChannel(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), rights),
                StandardCharsets.UTF_8));
    }

    /**
     * Writes what all loops of this process have recorded. Any thread but theirs.
     *
     * @param reason why
     */
    public static void write(Writer out, String reason) throws IOException {
        try {
            new RecordFile(out).write(BlackBox.runs(), reason);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void write(List<BlackBox.Recorded> runs, String reason) {
        line(HEAD + ' ' + VERSION, ProcessHandle.current().pid(), moment, Texts.line(reason));
        for (JvmPauses.Pause pause : JvmPauses.last())
            line("pause", pause.from() - momentNanos, pause.to() - momentNanos, pause.what());
        for (BlackBox.Recorded run : runs) write(run);
        line("complete");
    }

    private void write(BlackBox.Recorded run) {
        Loop loop = run.loop().loop();
        line("runtime", loop.name());
        for (String[] known : known(loop)) line("known", (Object[]) known);
        long now = run.loop().now();
        for (Hold hold : Watchdog.holdsOf(loop)) write(hold);
        for (Requests.Closed request : Requests.of(loop)) write(request, now);
        RingReader.read(run.ring(), 0, new Lines(now));
    }

    private void write(Requests.Closed request, long now) {
        var fields = new ArrayList<Object>(
                List.of(request.from() - now, request.to() - now, request.name(), request.text()));
        for (Part part : request.parts())
            fields.addAll(List.of(
                    part.kind().name().toLowerCase(Locale.ROOT), part.time().toNanos(), part.what()));
        line("request", fields.toArray());
    }

    private void write(Hold hold) {
        long from = Duration.between(moment, hold.begin()).toNanos();
        var stack = new StringBuilder();
        hold.stack().forEach(frame -> stack.append(stack.isEmpty() ? "" : " < ").append(frame));
        line("held", from, from + hold.soFar().toNanos(), hold.holder(), stack);
    }

    private void line(String word, Object... fields) {
        try {
            out.write(word);
            for (Object field : fields) {
                out.write('\t');
                out.write(plain(field));
            }
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String plain(Object field) {
        return field instanceof Long number
                ? Long.toString(number)
                : String.valueOf(field).replaceAll("\\p{Cntrl}", " ");
    }

    /** Labels of what lives, and what it awaits; none if the loop does not answer soon, as it is held. */
    private static List<String[]> known(Loop loop) {
        var answer = new CompletableFuture<List<String[]>>();
        loop.post(
                () -> loop.inService(() -> {
                    if (answer.isDone()) return;
                    try {
                        answer.complete(labels(loop));
                    } catch (RuntimeException | Error e) {
                        answer.complete(List.of());
                    }
                }),
                () -> answer.complete(List.of()));
        try {
            return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException held) {
            answer.cancel(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return List.of();
    }

    private static List<String[]> labels(Loop loop) {
        var labels = new ArrayList<String[]>();
        for (Coroutine<?> coroutine : loop.liveCoroutines()) {
            if (labels.size() == MAX_KNOWN) break;
            String site = coroutine.spawnLocation();
            List<String> awaits = coroutine.awaitingInfo();
            labels.add(new String[] {
                Long.toString(coroutine.id()),
                FailureText.label(coroutine) + (site.equals(CodeSites.UNKNOWN) ? "" : " spawned " + site),
                awaits.isEmpty() ? "" : Texts.line(awaits.getFirst())
            });
        }
        return labels;
    }

    private final class Lines implements RingReader.Listener {
        private final long now;

        Lines(long now) {
            this.now = now;
        }

        @Override
        public void spawned(long time, long id, long by, String label) {
            line("spawn", time - now, id, by, label);
        }

        @Override
        public void runs(long time, long id) {
            line("run", time - now, id);
        }

        @Override
        public void leaves(long time, long id) {
            line("leave", time - now, id);
        }

        @Override
        public void parked(long id, int kind) {
            line("park", id, WaitKind.of(kind).text());
        }

        @Override
        public void woken(long time, long id, long by, int kind, String text) {
            line("wake", time - now, id, by, text.isEmpty() ? WaitKind.of(kind).text() : Texts.line(text));
        }

        @Override
        public void ended(long time, long id, int how) {
            line("end", time - now, id, OUTCOMES[how]);
        }

        @Override
        public void slept(long from, long to) {
            line("sleep", from - now, to - now);
        }
    }
}
