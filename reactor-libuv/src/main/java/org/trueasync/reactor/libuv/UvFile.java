package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.FileHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/**
 * A file, through the system's own calls. Unlike the JDK's channels it can read just what the system has in memory, its
 * locks belong to the open file, and it can be sent without being read.
 */
final class UvFile implements FileHandle {
    /*
     * libuv's uv_fs_* are not used: its synchronous ones are these very calls, with seven arguments and a request to be
     * made for each.
     *
     * A file without positions (a FIFO, a terminal, another character device) is non-blocking: its callers wait in
     * poll(), for the file and for an event that close() and abandon() signal.
     */
    private static final int REGULAR = 0x8000;
    private static final int BLOCK_DEVICE = 0x6000;
    private static final int FOLDER = 0x4000;
    private static final int KIND = 0xf000;

    /** For calls on helper threads, which are never virtual. */
    private static final ThreadLocal<MemorySegment> ERRNO =
            ThreadLocal.withInitial(() -> FileCalls.errno(Arena.ofAuto()));

    private record Key(int major, int minor, long inode) {}

    private final UvReactor reactor;
    private final String path;
    private final Descriptor descriptor;
    private final boolean seekable;
    private final boolean appends;
    private final Key key;
    private final AtOnce atOnce;
    /** True if the file system does not support reading only what is in memory. */
    private volatile boolean noWaitReadsUnsupported;

    /** True if the file system does not support writing only to what is in memory. */
    private volatile boolean noWaitWritesUnsupported;

    /** True from the moment a read is abandoned until that read, or the next one, has noticed it. */
    private volatile boolean readAbandoned;

    /** True from the moment a write is abandoned until that write, or the next one, has noticed it. */
    private volatile boolean writeAbandoned;

    private UvFile(UvReactor reactor, Path path, int file, int flags) {
        this.reactor = reactor;
        this.path = path.toString();
        this.appends = (flags & FileCalls.APPEND) != 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = FileCalls.errno(arena);
            MemorySegment status = arena.allocate(FileCalls.STATX_SIZE, 8);
            int result = FileCalls.status(arena, errno, file, status);
            int kind = status.get(JAVA_SHORT, 28) & KIND;
            boolean waits = result >= 0 && kind != REGULAR && kind != BLOCK_DEVICE && kind != FOLDER;
            int event = 0;
            if (waits) result = FileCalls.makeNonBlocking(errno, file);
            if (waits && result >= 0) result = event = FileCalls.event(errno);
            if (result < 0) {
                FileCalls.close(errno, file);
                throw failed("open", result);
            }
            seekable = kind == REGULAR || kind == BLOCK_DEVICE;
            atOnce = kind == REGULAR ? AtOnce.of(arena, errno, file, flags) : AtOnce.READING;
            key = new Key(status.get(JAVA_INT, 136), status.get(JAVA_INT, 140), status.get(JAVA_LONG, 32));
            descriptor = new Descriptor(this, file, waits ? event : null);
        }
    }

    /**
     * Opens a file; null if only the JDK can: on another system or file system, and for options or attributes that only
     * the JDK knows.
     *
     * @throws InputOutputException if the system refuses
     */
    static @Nullable UvFile open(
            UvReactor reactor, Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        if (!UvFileOptions.ARE_KNOWN || path.getFileSystem() != FileSystems.getDefault()) return null;
        UvFileOptions wanted = UvFileOptions.of(options, attributes);
        if (wanted == null) return null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = FileCalls.errno(arena);
            long name = UvFileOptions.name(arena, path);
            int file = FileCalls.open(errno, name, wanted.flags(), wanted.mode());
            if (file < 0) throw failed("open", path.toString(), file);
            var opened = new UvFile(reactor, path, file, wanted.flags());
            if (wanted.deleteOnClose()) FileCalls.unlink(errno, name);
            return opened;
        }
    }

    // ---- reading and writing

    @Override
    public int read(ByteBuffer into, long position) {
        enter("read from");
        try {
            int count = seekable ? readAt(into, position) : readNext(into);
            if (count < 0) throw failed("read from", count);
            into.position(into.position() + count);
            return count == 0 ? -1 : count;
        } finally {
            leave(into);
        }
    }

    private int readAt(ByteBuffer into, long position) {
        return FileCalls.readAt(ERRNO.get(), descriptor.number(), address(into), into.remaining(), position);
    }

    private int readNext(ByteBuffer into) {
        if (readAbandoned) noticeAbandoned(false); // an earlier call was abandoned, but ended without noticing
        while (true) {
            int count = FileCalls.read(ERRNO.get(), descriptor.number(), address(into), into.remaining());
            if (count != -Platform.EAGAIN) return count;
            await(false);
        }
    }

    @Override
    public void write(ByteBuffer from, long position) {
        enter("write to");
        try {
            int count = seekable && !appends && position >= 0
                    ? FileCalls.writeAt(ERRNO.get(), descriptor.number(), address(from), from.remaining(), position)
                    : writeNext(from);
            if (count < 0) throw failed("write to", count);
            from.position(from.position() + count);
        } finally {
            leave(from);
        }
    }

    private int writeNext(ByteBuffer from) {
        if (writeAbandoned) noticeAbandoned(true);
        while (true) {
            int count = FileCalls.write(ERRNO.get(), descriptor.number(), address(from), from.remaining());
            if (count != -Platform.EAGAIN || seekable) return count;
            await(true);
        }
    }

    /** Waits until the file is ready; throws if the file is closed meanwhile, or the call is abandoned. */
    private void await(boolean toWrite) {
        try (Arena arena = Arena.ofConfined()) {
            int result = FileCalls.await(arena, ERRNO.get(), descriptor.number(), toWrite, descriptor.event());
            if (result < 0) throw failed("wait for", result);
        }
        if (descriptor.isClosing()) throw closed(toWrite ? "write to" : "read from");
        if (toWrite ? writeAbandoned : readAbandoned) {
            noticeAbandoned(toWrite);
            throw failed("wait for", -Platform.ECANCELED);
        }
    }

    @Override
    public void abandon(boolean write) {
        if (seekable) return;
        if (write) writeAbandoned = true;
        else readAbandoned = true;
        descriptor.signal();
    }

    private void noticeAbandoned(boolean write) {
        if (write) writeAbandoned = false;
        else readAbandoned = false;
        // One event stands for three things: closing, and each of two abandoned calls. Signals again what remains.
        descriptor.quieten();
        if (readAbandoned || writeAbandoned) descriptor.signal();
    }

    /** Returns the address of a buffer's bytes. Buffers on helper threads are direct, and belong to the core module. */
    private static long address(ByteBuffer direct) {
        if (!direct.isDirect()) throw new IllegalArgumentException("a file needs a direct buffer, got " + direct);
        return MemorySegment.ofBuffer(direct).address();
    }

    @Override
    public int readNow(ByteBuffer into, long position) {
        if (noWaitReadsUnsupported || !descriptor.enter()) return NOT_NOW;
        try {
            return into.isDirect() ? readNowDirect(into, position) : readNowCopy(into, position);
        } finally {
            leave(into);
        }
    }

    private int readNowDirect(ByteBuffer into, long position) {
        int count = readNow(NativeMemory.addressOf(into), into.remaining(), position);
        if (count > 0) into.position(into.position() + count);
        return count;
    }

    private int readNowCopy(ByteBuffer into, long position) {
        int total = 0;
        while (into.hasRemaining()) {
            int wanted = Math.min(into.remaining(), UvReactor.CHUNK);
            int count = readNow(reactor.writeAddress, wanted, seekable ? position + total : position);
            if (count < 0) return total > 0 ? total : count;
            into.put(into.position(), reactor.writeBuffer, 0, count).position(into.position() + count);
            total += count;
            if (count < wanted || !seekable) break;
        }
        return total;
    }

    /**
     * Returns the number of bytes read, -1 at the end, or NOT_NOW. NOT_NOW stands also for an error: the call on a
     * helper thread then meets it again.
     */
    private int readNow(long bytes, int length, long position) {
        int count = seekable
                ? reactor.readNow(descriptor.number(), bytes, length, position, atOnce != AtOnce.ALL)
                : FileCalls.read(reactor.errno(), descriptor.number(), bytes, length);
        if (count > 0) return count;
        if (count == 0) return -1;
        if (isRefusal(count)) noWaitReadsUnsupported = true;
        return NOT_NOW;
    }

    private static boolean isRefusal(int error) {
        return error == -Platform.EOPNOTSUPP || error == -Platform.ENOSYS || error == -Platform.EINVAL;
    }

    @Override
    public boolean writesNow() {
        return atOnce != AtOnce.READING && !noWaitWritesUnsupported;
    }

    @Override
    public int writeNow(ByteBuffer from, long position) {
        if (!writesNow() || !descriptor.enter()) return NOT_NOW;
        try {
            long bytes = NativeMemory.addressOf(from);
            boolean asks = atOnce != AtOnce.ALL;
            int count = reactor.writeNow(descriptor.number(), bytes, from.remaining(), appends ? -1 : position, asks);
            if (count > 0) {
                from.position(from.position() + count);
                return count;
            }
            // An error is not reported here: the call on a helper thread meets it again.
            if (isRefusal(count)) noWaitWritesUnsupported = true;
            return NOT_NOW;
        } finally {
            leave(from);
        }
    }

    // ---- the file

    @Override
    public boolean isSeekable() {
        return seekable;
    }

    @Override
    public Object key() {
        return key;
    }

    @Override
    public long size() {
        return status().size();
    }

    @Override
    public Status status() {
        enter("ask for the status of");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(FileCalls.STATX_SIZE, 8);
            check(
                    "ask for the status of",
                    FileCalls.status(arena, FileCalls.errno(arena), descriptor.number(), status));
            int kind = status.get(JAVA_SHORT, 28) & KIND;
            FileTime modified = time(status, 112);
            boolean knowsCreation = (status.get(JAVA_INT, 0) & 0x800) != 0;
            return new Status(
                    status.get(JAVA_LONG, 40),
                    modified,
                    time(status, 64),
                    knowsCreation ? time(status, 80) : modified,
                    kind == FOLDER,
                    kind == REGULAR);
        } finally {
            descriptor.leave();
        }
    }

    private static FileTime time(MemorySegment status, long offset) {
        return FileTime.from(Instant.ofEpochSecond(status.get(JAVA_LONG, offset), status.get(JAVA_INT, offset + 8)));
    }

    @Override
    public void sync(boolean metadata) {
        enter("sync");
        try (Arena arena = Arena.ofConfined()) {
            check("sync", FileCalls.sync(FileCalls.errno(arena), descriptor.number(), metadata));
        } finally {
            descriptor.leave();
        }
    }

    @Override
    public void truncate(long size) {
        enter("truncate");
        try (Arena arena = Arena.ofConfined()) {
            check("truncate", FileCalls.truncate(FileCalls.errno(arena), descriptor.number(), size));
        } finally {
            descriptor.leave();
        }
    }

    // ---- locks

    @Override
    public void lock(long position, long size, boolean shared) {
        check("lock", lock(FileCalls.SET_LOCK_AND_WAIT, type(shared), position, size));
    }

    @Override
    public boolean tryLock(long position, long size, boolean shared) {
        int result = lock(FileCalls.SET_LOCK, type(shared), position, size);
        if (result == -Platform.EAGAIN || result == -Platform.EACCES) return false;
        check("lock", result);
        return true;
    }

    @Override
    public void unlock(long position, long size) {
        check("unlock", lock(FileCalls.SET_LOCK, FileCalls.UNLOCK, position, size));
    }

    private static short type(boolean shared) {
        return shared ? FileCalls.READ_LOCK : FileCalls.WRITE_LOCK;
    }

    private int lock(int command, short type, long position, long size) {
        enter("lock");
        // No byte is beyond the largest position; 0 means "to the end, wherever that will be".
        long length = size >= Long.MAX_VALUE - position ? 0 : size;
        try (Arena arena = Arena.ofConfined()) {
            return FileCalls.lock(arena, FileCalls.errno(arena), descriptor.number(), command, type, position, length);
        } finally {
            descriptor.leave();
        }
    }

    // ---- sending

    @Override
    public @Nullable Sender sender(StreamHandle target) {
        if (!seekable || !(target instanceof UvStream stream) || stream.reactor != reactor) return null;
        int socket = reactor.descriptorOf(stream.address);
        int copy = socket < 0 ? socket : SocketCalls.duplicate(reactor.errno(), socket);
        return copy < 0 ? null : new Sending(copy);
    }

    private final class Sending implements Sender {
        private static final int MAX_BYTES = 1 << 20;

        private final int socket;
        private boolean closed;

        Sending(int socket) {
            this.socket = socket;
        }

        @Override
        public long send(long position, long count) {
            enter("send from");
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment place = arena.allocate(8, 8);
                place.set(JAVA_LONG, 0, position);
                int sent = FileCalls.send(FileCalls.errno(arena), socket, descriptor.number(), place.address(), (int)
                        Math.min(count, MAX_BYTES));
                if (sent == -Platform.EAGAIN) return 0;
                if (sent < 0) throw failed("send from", sent);
                return sent == 0 ? -1 : sent;
            } finally {
                descriptor.leave();
            }
        }

        @Override
        public void close() {
            if (!closed) Libc.close(socket);
            closed = true;
        }
    }

    // ---- the end, errors

    private void enter(String operation) {
        if (!descriptor.enter()) throw closed(operation);
    }

    /** Ends a call, and keeps its buffer reachable until then. */
    private void leave(ByteBuffer buffer) {
        try {
            descriptor.leave();
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public void close() {
        check("close", descriptor.close());
    }

    private void check(String operation, int result) {
        if (result < 0) throw failed(operation, result);
    }

    private InputOutputException closed(String operation) {
        return failed(operation, path, UvErrors.CLOSED);
    }

    private InputOutputException failed(String operation, int status) {
        return failed(operation, path, status);
    }

    private static InputOutputException failed(String operation, String path, int status) {
        return failed(operation, path, UvErrors.of(status));
    }

    private static InputOutputException failed(String operation, String path, SystemError error) {
        return new InputOutputException(operation + " " + path + ": " + error + UvErrors.hint(error), error.errno());
    }

    @Override
    public String toString() {
        return "file " + path;
    }
}
