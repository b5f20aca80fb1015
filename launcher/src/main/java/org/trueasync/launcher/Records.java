package org.trueasync.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

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
        try (lines) {
            Question.ask(socket, "record", lines::add);
            lines.flush();
        } catch (IOException e) {
            throw new UsageException("can't write " + file + ": " + e);
        } catch (UncheckedIOException e) {
            throw new UsageException("can't write " + file + ": " + e.getCause());
        }
        if (!lines.hasRuntime)
            throw new UsageException("process " + command.pid()
                    + " records nothing: start it with trueasync run, or with -Dorg.trueasync.blackBox=4");
        return file;
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
                if (!isOpen) out = Files.newBufferedWriter(file);
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
    }

    private static Path path(String name) throws UsageException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UsageException("'" + name + "' is not the name of a file: " + e.getReason());
        }
    }
}
