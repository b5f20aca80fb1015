package org.trueasync.internal.process;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.text.Printable;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.ChildHandle.Redirect;

/**
 * What to start and how. A command is checked when it is built. So a start can fail only if the program is not found or
 * the system refuses the start.
 *
 * @param words program and arguments
 * @param place directory and environment
 * @param input what the child reads
 * @param output where the child's output and its errors go
 * @param limits the limits of output and time
 */
public record Command(List<String> words, Place place, Input input, Output output, Limits limits) {
    /**
     * Returns a command with default settings.
     *
     * @param words program and arguments
     * @throws IllegalArgumentException if there are no words, the program's name is empty, or a word contains NUL
     */
    public static Command of(List<String> words) {
        List<String> copy = List.copyOf(words);
        if (copy.isEmpty()) throw new IllegalArgumentException("a command needs a program, got no words");
        if (copy.getFirst().isEmpty()) throw new IllegalArgumentException("a program's name can't be empty");
        for (int i = 0; i < copy.size(); i++) {
            if (copy.get(i).indexOf('\0') >= 0)
                throw new IllegalArgumentException((i == 0 ? "a program's name" : "argument " + i)
                        + " can't contain NUL, got '" + Printable.of(copy.get(i)) + "'");
        }
        return new Command(copy, Place.OURS, Input.NONE, Output.TAKEN, Limits.USUAL);
    }

    /** Returns the program's name, for messages. They show no arguments, as these may be secret. */
    public String shown() {
        return words.getFirst();
    }

    /** Returns this command with another directory and environment. */
    public Command with(Place other) {
        return new Command(words, other, input, output, limits);
    }

    /** Returns this command with another input. */
    public Command with(Input other) {
        return new Command(words, place, other, output, limits);
    }

    /** Returns this command with another output. */
    public Command with(Output other) {
        return new Command(words, place, input, other, limits);
    }

    /** Returns this command with other limits. */
    public Command with(Limits other) {
        return new Command(words, place, input, output, other);
    }

    /**
     * The directory and the environment of a child.
     *
     * @param directory its working directory; null for that of this process
     * @param cleared true if its environment starts empty, false if it starts as a copy of this process's
     * @param changes variables that are then set, or removed if their value is null
     */
    public record Place(@Nullable Path directory, boolean cleared, Map<String, @Nullable String> changes) {
        static final Place OURS = new Place(null, false, Map.of());

        /** Returns this with another directory. */
        public Place in(Path where) {
            if (where.toString().indexOf('\0') >= 0)
                throw new IllegalArgumentException("a directory can't contain NUL");
            return new Place(where.toAbsolutePath(), cleared, changes);
        }

        /** Returns this with an empty environment. */
        public Place withoutVariables() {
            return new Place(directory, true, Map.of());
        }

        /** Returns this with exactly these variables. */
        public Place withVariables(Map<String, String> all) {
            all.forEach(Place::requireVariable);
            return new Place(directory, true, new HashMap<>(all));
        }

        /** Returns this with one variable set. If the value is null, the variable is removed. */
        public Place with(String name, @Nullable String value) {
            requireVariable(name, value);
            Map<String, @Nullable String> more = new HashMap<>(changes);
            more.put(name, value);
            return new Place(directory, cleared, more);
        }

        private static void requireVariable(String name, @Nullable String value) {
            Objects.requireNonNull(name, "name");
            if (name.isEmpty())
                throw new IllegalArgumentException("the name of an environment variable can't be empty");
            if (name.indexOf('=') >= 0 || name.indexOf('\0') >= 0)
                throw new IllegalArgumentException("the name of an environment variable can't contain '=' or NUL, got '"
                        + Printable.of(name) + "'");
            if (value != null && value.indexOf('\0') >= 0)
                throw new IllegalArgumentException("the value of environment variable " + name + " can't contain NUL");
        }

        /** Returns all variables of the child; null if they are the same as those of this process. */
        @Nullable
        Map<String, String> variables() {
            if (!cleared && changes.isEmpty()) return null;
            Map<String, String> all = cleared ? new HashMap<>() : new HashMap<>(System.getenv());
            changes.forEach((name, value) -> {
                if (value == null) all.remove(name);
                else all.put(name, value);
            });
            return all;
        }
    }

    /**
     * What the child reads.
     *
     * @param from where its standard input comes from; {@code PIPE} if this process writes it
     * @param bytes the bytes that go to the pipe, or null
     * @param stream the stream whose bytes go to the pipe, or null
     */
    public record Input(
            Redirect from,
            @Nullable ByteBuffer bytes,
            @Nullable InputStream stream) {
        /** No input: the child reads the end at once. */
        public static final Input NONE = new Input(Redirect.DISCARD, null, null);

        /** The standard input of this process. */
        public static final Input INHERITED = new Input(Redirect.INHERIT, null, null);

        /** Returns an input of these bytes. */
        public static Input of(ByteBuffer bytes) {
            return new Input(Redirect.PIPE, bytes, null);
        }

        /** Returns an input of the bytes of a stream. */
        public static Input of(InputStream stream) {
            return new Input(Redirect.PIPE, null, stream);
        }

        /** True if this process writes the input. */
        public boolean isOurs() {
            return bytes != null || stream != null;
        }
    }

    /**
     * Where the child's output goes.
     *
     * @param to where its standard output goes; {@code PIPE} if this process reads it
     * @param errorsTo where its standard error goes; {@code PIPE} if this process reads it
     */
    public record Output(Redirect to, Redirect errorsTo) {
        static final Output TAKEN = new Output(Redirect.PIPE, Redirect.PIPE);

        /** Returns this with another destination of the standard output. */
        public Output to(Redirect other) {
            return new Output(other, errorsTo);
        }

        /** Returns this with another destination of the standard error. */
        public Output errorsTo(Redirect other) {
            return new Output(to, other);
        }
    }

    /**
     * The limits of one child.
     *
     * @param maxOutput how many bytes of the output are kept at most; the same number holds for the errors
     * @param truncate true if further bytes are dropped, false if they are an error
     * @param timeout how long the child may run; null for no limit
     * @param grace the time between SIGTERM and SIGKILL
     */
    public record Limits(
            long maxOutput, boolean truncate, @Nullable Duration timeout, Duration grace) {
        static final Limits USUAL = new Limits(64L << 20, false, null, Duration.ofSeconds(3));

        /** Returns this with another limit of the output. */
        public Limits withMaxOutput(long bytes) {
            if (bytes < 0 || bytes > Integer.MAX_VALUE - 16)
                throw new IllegalArgumentException(
                        "maxOutput must be 0 to " + (Integer.MAX_VALUE - 16) + " bytes, got " + bytes);
            return new Limits(bytes, truncate, timeout, grace);
        }

        /** Returns this with {@code truncate} set: bytes above the limit are dropped. */
        public Limits truncating() {
            return new Limits(maxOutput, true, timeout, grace);
        }

        /** Returns this with another timeout. */
        public Limits withTimeout(Duration limit) {
            return new Limits(maxOutput, truncate, TimeLimits.positive(limit, "timeout"), grace);
        }

        /** Returns this with another time between SIGTERM and SIGKILL. */
        public Limits withGrace(Duration beforeKill) {
            return new Limits(maxOutput, truncate, timeout, TimeLimits.notNegative(beforeKill, "grace"));
        }
    }
}
