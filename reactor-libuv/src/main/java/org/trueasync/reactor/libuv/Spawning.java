package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ChildHandle;

/** The arguments of one {@code posix_spawn}, in native memory that is freed by {@link #close}. */
final class Spawning implements AutoCloseable {
    private static final int ENVIRONMENT_ITEM = 16;

    /** The system's, as the JVM uses it for arguments; UTF-8 in place of ASCII, so that more texts can be passed. */
    private static final Charset CHARSET = systemCharset();

    private final Arena arena;
    private final long actions;
    private final long attributes;
    private final long program;
    private final long arguments;
    private final long environment;
    /** The first error of a call, a positive errno; 0 if none. */
    private int refused;

    private boolean initialised;

    Spawning(ChildHandle.Spec spec) {
        this(spec, Arena.ofConfined());
    }

    /**
     * Puts the arguments into an arena, which it takes over.
     *
     * @throws RuntimeException if they can't be passed to a child; the arena is closed then
     */
    Spawning(ChildHandle.Spec spec, Arena arena) {
        this.arena = arena;
        try {
            actions = block(SpawnCalls.FILE_ACTIONS_SIZE);
            attributes = block(SpawnCalls.ATTRIBUTES_SIZE);
            program = string(spec.program().toString());
            arguments = strings(spec.arguments().stream().map(this::string).toList());
            environment = strings(environment(spec.environment()));
            refused = SpawnCalls.initialise(actions, attributes, block(SpawnCalls.SIGNALS_SIZE));
            initialised = refused == 0;
            if (spec.directory() != null && refused == 0) changeDirectory(spec.directory());
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void changeDirectory(Path directory) {
        if (!SpawnCalls.hasDirectory())
            throw new UnsupportedOperationException(
                    "this system's C library can't start a child in a directory (glibc can since 2.29)");
        refused = SpawnCalls.addDirectory(actions, string(directory.toString()));
    }

    private long block(long size) {
        return arena.allocate(size, 16).address();
    }

    /**
     * Gives the child a descriptor of ours under a number. Ours must be above 2, or the same number, or one that the
     * child has been given.
     */
    void inherit(int childs, int ours) {
        if (refused == 0) refused = SpawnCalls.addDuplicate(actions, ours, childs);
    }

    /** Opens {@code /dev/null} as the child's descriptor of this number. */
    void discard(int childs) {
        if (refused == 0) refused = SpawnCalls.addOpen(actions, childs, string("/dev/null"), Platform.O_RDWR);
    }

    /**
     * Starts the child. Returns its process id, or a negative errno, also if the program can't be executed; then no
     * process is left.
     */
    int start(UvReactor reactor) {
        if (SpawnCalls.hasCloseFrom()) {
            if (refused == 0) refused = SpawnCalls.addCloseFrom(actions, 3);
        } else {
            ProcessCalls.closeAllOnExec(reactor.errno());
        }
        long pid = block(Integer.BYTES);
        if (refused == 0) refused = SpawnCalls.spawn(pid, program, actions, attributes, arguments, environment);
        return refused == 0 ? NativeMemory.getInt(pid) : -refused;
    }

    @Override
    public void close() {
        if (initialised) SpawnCalls.destroy(actions, attributes);
        arena.close();
    }

    // ---- strings

    private List<Long> environment(@Nullable Map<String, String> variables) {
        var lines = new ArrayList<Long>();
        if (variables == null) addOurs(lines);
        else variables.forEach((name, value) -> lines.add(string(name + "=" + value)));
        return lines;
    }

    /** Adds our environment byte by byte: the JDK's decoded form may have lost something. */
    private void addOurs(List<Long> lines) {
        long place = block(2L * Long.BYTES);
        if (Uv.osEnviron(place, place + Long.BYTES) < 0) {
            System.getenv().forEach((name, value) -> lines.add(string(name + "=" + value)));
            return;
        }
        long items = NativeMemory.getLong(place);
        int count = NativeMemory.getInt(place + Long.BYTES);
        for (int i = 0; i < count; i++) {
            long item = items + (long) i * ENVIRONMENT_ITEM;
            lines.add(joined(NativeMemory.getLong(item), NativeMemory.getLong(item + Long.BYTES)));
        }
        Uv.osFreeEnviron(items, count);
    }

    private long joined(long name, long value) {
        long nameLength = NativeMemory.stringLength(name);
        long valueLength = NativeMemory.stringLength(value);
        long line = block(nameLength + valueLength + 2);
        NativeMemory.copy(name, line, nameLength);
        NativeMemory.setByte(line + nameLength, (byte) '=');
        NativeMemory.copy(value, line + nameLength + 1, valueLength);
        return line;
    }

    /** Makes a null-terminated array. */
    private long strings(List<Long> all) {
        long array = block((all.size() + 1L) * Long.BYTES);
        long place = array;
        for (long each : all) {
            NativeMemory.setLong(place, each);
            place += Long.BYTES;
        }
        return array;
    }

    private long string(String text) {
        if (text.indexOf('\0') >= 0)
            throw new IllegalArgumentException("a program, its arguments and its environment can't contain NUL");
        ByteBuffer bytes = encoded(text);
        long memory = block(bytes.remaining() + 1L); // zeroed, so there is an end
        NativeMemory.copy(bytes, memory);
        return memory;
    }

    private static ByteBuffer encoded(String text) {
        try {
            return CHARSET.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "the system's character set " + CHARSET + " can't express '" + text
                            + "'; start the JVM in a UTF-8 locale",
                    e);
        }
    }

    private static Charset systemCharset() {
        String name = System.getProperty("sun.jnu.encoding", "UTF-8");
        Charset found = Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
        return found.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : found;
    }
}
