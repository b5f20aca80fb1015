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
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.ChildHandle.Redirect;

/**
 * What to start and how; checked when it is put together, so that starting it can only fail by the system.
 *
 * @param words program and arguments
 * @param place where it runs
 * @param input what it reads
 * @param output where what it writes goes
 * @param limits what it may take
 */
public record Command(List<String> words, Place place, Input input, Output output, Limits limits) {
    /**
     * A command with nothing but its words.
     *
     * @param words program and arguments
     * @throws IllegalArgumentException if there are none, or they can't be given to a program
     */
    public static Command of(List<String> words) {
        List<String> copy = List.copyOf(words);
        if (copy.isEmpty()) throw new IllegalArgumentException("a command needs a program, got no words");
        if (copy.getFirst().isEmpty()) throw new IllegalArgumentException("a program's name can't be empty");
        for (int i = 0; i < copy.size(); i++) {
            if (copy.get(i).indexOf('\0') >= 0)
                throw new IllegalArgumentException((i == 0 ? "a program's name" : "argument " + i)
                        + " can't contain NUL, got '" + copy.get(i).replace("\0", "\\0") + "'");
        }
        return new Command(copy, Place.OURS, Input.NONE, Output.TAKEN, Limits.USUAL);
    }

    /** The program's name as messages show it; arguments may be secret. */
    public String shown() {
        return words.getFirst();
    }

    /** As this, elsewhere. */
    public Command with(Place other) {
        return new Command(words, other, input, output, limits);
    }

    /** As this, reading something else. */
    public Command with(Input other) {
        return new Command(words, place, other, output, limits);
    }

    /** As this, writing to somewhere else. */
    public Command with(Output other) {
        return new Command(words, place, input, other, limits);
    }

    /** As this, with other limits. */
    public Command with(Limits other) {
        return new Command(words, place, input, output, other);
    }

    /**
     * The directory and the environment.
     *
     * @param directory where it starts; null for ours
     * @param cleared whether the environment begins empty instead of as ours
     * @param changes what is set (or, with null, taken away) on top of that
     */
    public record Place(@Nullable Path directory, boolean cleared, Map<String, @Nullable String> changes) {
        static final Place OURS = new Place(null, false, Map.of());

        /** As this, in a directory. */
        public Place in(Path where) {
            if (where.toString().indexOf('\0') >= 0)
                throw new IllegalArgumentException("a directory can't contain NUL");
            return new Place(where.toAbsolutePath(), cleared, changes);
        }

        /** As this, with an environment that begins empty. */
        public Place withoutVariables() {
            return new Place(directory, true, Map.of());
        }

        /** As this, with exactly these variables. */
        public Place withVariables(Map<String, String> all) {
            all.forEach(Place::requireVariable);
            return new Place(directory, true, new HashMap<>(all));
        }

        /** As this, with one variable more, or with null one less. */
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
                        + name.replace("\0", "\\0") + "'");
            if (value != null && value.indexOf('\0') >= 0)
                throw new IllegalArgumentException("the value of environment variable " + name + " can't contain NUL");
        }

        /** All variables of the child; null for ours as they are. */
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
     * @param from a pipe where there is something of ours
     * @param bytes null for none
     * @param stream null for none
     */
    public record Input(
            Redirect from,
            @Nullable ByteBuffer bytes,
            @Nullable InputStream stream) {
        /** Nothing. */
        public static final Input NONE = new Input(Redirect.DISCARD, null, null);

        /** What we would read. */
        public static final Input INHERITED = new Input(Redirect.INHERIT, null, null);

        /** These bytes. */
        public static Input of(ByteBuffer bytes) {
            return new Input(Redirect.PIPE, bytes, null);
        }

        /** What that stream brings. */
        public static Input of(InputStream stream) {
            return new Input(Redirect.PIPE, null, stream);
        }

        /** True if it comes from us. */
        public boolean isOurs() {
            return bytes != null || stream != null;
        }
    }

    /**
     * Where what the child writes goes.
     *
     * @param to a pipe where it is taken
     * @param errorsTo a pipe where they are taken
     */
    public record Output(Redirect to, Redirect errorsTo) {
        static final Output TAKEN = new Output(Redirect.PIPE, Redirect.PIPE);

        /** As this, with its output going elsewhere. */
        public Output to(Redirect other) {
            return new Output(other, errorsTo);
        }

        /** As this, with its errors going elsewhere. */
        public Output errorsTo(Redirect other) {
            return new Output(to, other);
        }
    }

    /**
     * What the child may take.
     *
     * @param maxOutput most bytes kept of its output, and of its errors
     * @param truncate whether what is above is dropped
     * @param timeout null for none
     * @param grace between the request to end and the kill
     */
    public record Limits(
            long maxOutput, boolean truncate, @Nullable Duration timeout, Duration grace) {
        static final Limits USUAL = new Limits(64L << 20, false, null, Duration.ofSeconds(3));

        /** As this, with a limit of its output. */
        public Limits withMaxOutput(long bytes) {
            if (bytes < 0 || bytes > Integer.MAX_VALUE - 16)
                throw new IllegalArgumentException(
                        "maxOutput must be 0 to " + (Integer.MAX_VALUE - 16) + " bytes, got " + bytes);
            return new Limits(bytes, truncate, timeout, grace);
        }

        /** As this; what is above the limit is dropped. */
        public Limits truncating() {
            return new Limits(maxOutput, true, timeout, grace);
        }

        /** As this, with a timeout. */
        public Limits withTimeout(Duration limit) {
            return new Limits(maxOutput, truncate, TimeLimits.positive(limit, "timeout"), grace);
        }

        /** As this, with that time before the kill. */
        public Limits withGrace(Duration beforeKill) {
            return new Limits(maxOutput, truncate, timeout, TimeLimits.notNegative(beforeKill, "grace"));
        }
    }
}
