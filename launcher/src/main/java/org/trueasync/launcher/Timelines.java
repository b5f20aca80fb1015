package org.trueasync.launcher;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.launcher.timeline.BlackBoxTimeline;
import org.trueasync.launcher.timeline.Timeline;

/** Turns flight recordings into traces. */
final class Timelines {
    private static final String STANDARD_OUTPUT = "-";
    private static final List<String> SUFFIXES = List.of(".jfr", ".box");

    private Timelines() {}

    /**
     * Writes the trace.
     *
     * @return the exit status: {@link Exit#FAILED} if the recording is cut off, so that the trace is, too
     * @throws UsageException if the recording can't be used, or the trace can't be written
     */
    static int write(Command.Timeline command) throws UsageException {
        Path recording = path(command.recording());
        if (!Files.isRegularFile(recording) || !Files.isReadable(recording))
            throw new UsageException("no readable file " + recording);
        Path output = output(command.output(), recording);
        try {
            return switch (write(recording, output)) {
                case COMPLETE -> {
                    if (output != null) System.out.println("Written to " + output + ", for https://ui.perfetto.dev");
                    yield Exit.OK;
                }
                case CUT_OFF -> {
                    Diagnostics.printError(
                            recording + " breaks off, as after a process that was killed;" + " the trace ends there");
                    yield Exit.FAILED;
                }
                case NOTHING ->
                    throw new UsageException("there are no events of TrueAsync in " + recording
                            + "; a recording has them if it names them: see the guide's page Seeing what happens");
            };
        } catch (IOException e) {
            throw new UsageException(recording + " can't be read as a recording: " + e.getMessage());
        } catch (UncheckedIOException e) {
            if (output == null && AnswerOutput.isOfAReaderGone(e.getCause())) return Exit.OK;
            throw new UsageException(
                    "can't write " + (output == null ? "the standard output" : output) + ": " + e.getCause());
        }
    }

    private static Timeline.Outcome write(Path recording, @Nullable Path output) throws IOException, UsageException {
        if (BlackBoxTimeline.isOne(recording)) return BlackBoxTimeline.write(recording, () -> open(output));
        if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty())
            throw new UsageException("this JDK has no module jdk.jfr, which reads recordings; use a full JDK");
        return Timeline.write(recording, () -> open(output));
    }

    /** Null for the standard output. */
    private static @Nullable Path output(@Nullable String name, Path recording) throws UsageException {
        if (STANDARD_OUTPUT.equals(name)) return null;
        Path output = name != null ? path(name) : beside(recording);
        try {
            if (Files.exists(output) && Files.isSameFile(output, recording))
                throw new UsageException("the trace would overwrite the recording " + recording);
        } catch (IOException e) {
            throw new UsageException("can't write " + output + ": " + e);
        }
        return output;
    }

    private static Path beside(Path recording) {
        String name = String.valueOf(recording.getFileName());
        String stem = SUFFIXES.stream().anyMatch(name::endsWith) ? name.substring(0, name.length() - 4) : name;
        return recording.resolveSibling(stem + ".json");
    }

    private static Path path(String name) throws UsageException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UsageException("'" + name + "' is not the name of a file: " + e.getReason());
        }
    }

    private static Writer open(@Nullable Path output) throws IOException {
        return output == null
                // System.out would keep it to itself that nothing more can be written
                ? new BufferedWriter(
                        new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8))
                : Files.newBufferedWriter(output);
    }
}
