package org.trueasync.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.trueasync.internal.blackbox.RecordFile;

/** Fetches what a process has recorded. */
final class Records {
    private Records() {}

    /**
     * Writes the black box of a process into a file.
     *
     * @return where
     * @throws UsageException if the process has none, or the file can't be written
     */
    static Path write(Command.RecordOf command) throws UsageException, Question.Ended {
        Path socket = Question.socketOf(command.pid());
        Path file = path(command.output() != null ? command.output() : "trueasync-" + command.pid() + ".box");
        var lines = new Lines(file);
        boolean isWhole = false;
        try {
            try (lines) {
                Question.ask(socket, "record", lines::add);
                lines.flush();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            if (!lines.hasRuntime)
                throw new UsageException("process " + command.pid()
                        + " records nothing: start it with trueasync run, or with -Dorg.trueasync.blackBox=4");
            isWhole = true;
            return file;
        } catch (IOException e) {
            throw new UsageException("can't write " + file + ": " + e);
        } finally {
            if (!isWhole) lines.remove();
        }
    }

    /** Says in a few lines what a black box has of each loop: how far back it reaches, and what took longest. */
    static String summary(Path box) throws IOException {
        var summary = new StringBuilder();
        String runtime = null;
        var loop = new Loop();
        for (String line : Files.readAllLines(box)) {
            String[] fields = line.split("\t", -1);
            if (fields[0].equals("runtime") || fields[0].equals("complete")) {
                if (runtime != null) loop.describe(runtime, summary);
                runtime = fields.length > 1 ? fields[1] : null;
                loop = new Loop();
            } else if (runtime != null) loop.take(fields);
        }
        return summary.toString();
    }

    private static final class Loop {
        private int turns;
        private long earliest;
        private final Longest held = new Longest();
        private final Longest requests = new Longest();

        void take(String[] fields) {
            switch (fields[0]) {
                case "held" -> held.take(fields);
                case "request" -> requests.take(fields);
                case "run" -> {
                    turns++;
                    earliest = Math.min(earliest, Long.parseLong(fields[1]));
                }
                default -> {}
            }
        }

        void describe(String runtime, StringBuilder into) {
            into.append(runtime).append(": ").append(turns).append(" turns in ");
            into.append(millis(-earliest)).append(" ms\n");
            if (held.count > 0) held.describe("held turns: ", into);
            if (requests.count > 0) requests.describe("ended requests: ", into);
        }
    }

    private static final class Longest {
        private int count;
        private long nanos;
        private String what = "";

        void take(String[] fields) {
            count++;
            long time = Long.parseLong(fields[2]) - Long.parseLong(fields[1]);
            if (time < nanos) return;
            nanos = time;
            what = fields[3];
        }

        void describe(String begin, StringBuilder into) {
            into.append("  ").append(begin).append(count).append(", longest ");
            into.append(millis(nanos)).append(" ms: ").append(what).append('\n');
        }
    }

    private static String millis(long nanos) {
        return Long.toString(nanos / 1_000_000);
    }

    private static final class Lines implements AutoCloseable {
        private final Path file;
        private Writer out = Writer.nullWriter();
        private boolean isOpen;
        boolean hasRuntime;

        Lines(Path file) {
            this.file = file;
        }

        void add(String line) {
            try {
                if (!isOpen) out = Files.exists(file) ? Files.newBufferedWriter(file) : RecordFile.create(file);
                isOpen = true;
                hasRuntime |= line.startsWith("runtime\t");
                out.write(line);
                out.write('\n');
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }

        /** A part would look like a recording. */
        void remove() {
            try {
                if (isOpen && Files.isRegularFile(file)) Files.delete(file);
            } catch (IOException e) {
                // what went wrong before is told
            }
        }
    }

    private static Path path(String name) throws UsageException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UsageException("'" + name + "' is not the name of a file: " + e.getReason());
        }
    }
}
