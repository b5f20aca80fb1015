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
import org.trueasync.spi.ChildHandle.Redirect;

/**
 * What to start and how; checked when it is put together, so that starting it can only fail by the system.
 *
 * @param words program and arguments
 * @param directory where it starts; null for ours
 * @param cleared whether the environment begins empty instead of as ours
 * @param environment what is set (or, with null, taken away) on top of that
 * @param input what it reads; null for nothing
 * @param inputStream what it reads; null for nothing
 * @param inputFrom a pipe where there is input
 * @param outputTo a pipe where it is taken
 * @param errorTo a pipe where it is taken
 * @param maxOutput most bytes kept
 * @param truncate whether what is above is dropped
 * @param timeout null for none
 * @param grace between the request to end and the kill
 */
public record Command(
        List<String> words,
        @Nullable Path directory,
        boolean cleared,
        Map<String, @Nullable String> environment,
        @Nullable ByteBuffer input,
        @Nullable InputStream inputStream,
        Redirect inputFrom,
        Redirect outputTo,
        Redirect errorTo,
        long maxOutput,
        boolean truncate,
        @Nullable Duration timeout,
        Duration grace) {
    /** What is kept of a child's output unless somebody asks for more. */
    private static final long MAX_OUTPUT = 64L << 20;

    private static final Duration GRACE = Duration.ofSeconds(3);

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
        return new Command(
                copy,
                null,
                false,
                Map.of(),
                null,
                null,
                Redirect.DISCARD,
                Redirect.PIPE,
                Redirect.PIPE,
                MAX_OUTPUT,
                false,
                null,
                GRACE);
    }

    /** The program's name as messages show it; arguments may be secret. */
    public String shown() {
        return words.getFirst();
    }

    /** As this, in a directory. */
    public Command in(Path where) {
        if (where.toString().indexOf('\0') >= 0) throw new IllegalArgumentException("a directory can't contain NUL");
        return new Command(
                words,
                where.toAbsolutePath(),
                cleared,
                environment,
                input,
                inputStream,
                inputFrom,
                outputTo,
                errorTo,
                maxOutput,
                truncate,
                timeout,
                grace);
    }

    /** As this, with an environment that begins empty. */
    public Command withClearedEnvironment() {
        return withEnvironment(true, Map.of());
    }

    /** As this, with one variable more, or with null one less. */
    public Command with(String name, @Nullable String value) {
        requireVariable(name, value);
        Map<String, @Nullable String> more = new HashMap<>(environment);
        more.put(name, value);
        return withEnvironment(cleared, more);
    }

    /** As this, with exactly these variables. */
    public Command withEnvironment(Map<String, String> all) {
        all.forEach(Command::requireVariable);
        return withEnvironment(true, new HashMap<>(all));
    }

    private Command withEnvironment(boolean clear, Map<String, @Nullable String> changes) {
        return new Command(
                words,
                directory,
                clear,
                changes,
                input,
                inputStream,
                inputFrom,
                outputTo,
                errorTo,
                maxOutput,
                truncate,
                timeout,
                grace);
    }

    private static void requireVariable(String name, @Nullable String value) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) throw new IllegalArgumentException("the name of an environment variable can't be empty");
        if (name.indexOf('=') >= 0 || name.indexOf('\0') >= 0)
            throw new IllegalArgumentException("the name of an environment variable can't contain '=' or NUL, got '"
                    + name.replace("\0", "\\0") + "'");
        if (value != null && value.indexOf('\0') >= 0)
            throw new IllegalArgumentException("the value of environment variable " + name + " can't contain NUL");
    }

    /** As this, with an input: bytes, a stream, or where our own comes from. */
    public Command withInput(@Nullable ByteBuffer bytes, @Nullable InputStream stream, Redirect from) {
        return new Command(
                words,
                directory,
                cleared,
                environment,
                bytes,
                stream,
                from,
                outputTo,
                errorTo,
                maxOutput,
                truncate,
                timeout,
                grace);
    }

    /** As this, with its output and its errors going elsewhere. */
    public Command withOutput(Redirect output, Redirect error) {
        return new Command(
                words,
                directory,
                cleared,
                environment,
                input,
                inputStream,
                inputFrom,
                output,
                error,
                maxOutput,
                truncate,
                timeout,
                grace);
    }

    /** As this, with a limit. */
    public Command withMaxOutput(long bytes, boolean dropRest) {
        if (bytes < 0 || bytes > Integer.MAX_VALUE - 16)
            throw new IllegalArgumentException(
                    "maxOutput must be 0 to " + (Integer.MAX_VALUE - 16) + " bytes, got " + bytes);
        return new Command(
                words,
                directory,
                cleared,
                environment,
                input,
                inputStream,
                inputFrom,
                outputTo,
                errorTo,
                bytes,
                dropRest,
                timeout,
                grace);
    }

    /** As this, with these limits of time. */
    public Command withTimes(@Nullable Duration limit, Duration beforeKill) {
        if (limit != null && (limit.isNegative() || limit.isZero()))
            throw new IllegalArgumentException("timeout must be > 0, got " + limit);
        if (beforeKill.isNegative()) throw new IllegalArgumentException("grace must be >= 0, got " + beforeKill);
        return new Command(
                words,
                directory,
                cleared,
                environment,
                input,
                inputStream,
                inputFrom,
                outputTo,
                errorTo,
                maxOutput,
                truncate,
                limit,
                beforeKill);
    }

    /** All variables of the child; null for ours as they are. */
    @Nullable
    Map<String, String> wholeEnvironment() {
        if (!cleared && environment.isEmpty()) return null;
        Map<String, String> whole = cleared ? new HashMap<>() : new HashMap<>(System.getenv());
        environment.forEach((name, value) -> {
            if (value == null) whole.remove(name);
            else whole.put(name, value);
        });
        return whole;
    }
}
