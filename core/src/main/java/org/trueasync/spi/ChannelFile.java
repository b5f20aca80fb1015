package org.trueasync.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;

/** A file on the JDK's {@link FileChannel}, for files that the reactor does not open itself. */
final class ChannelFile implements FileHandle {
    private final Path path;
    private final FileChannel channel;
    private final boolean appends;
    private final boolean seekable;
    private final Object key;
    private final Map<Range, FileLock> locks = new HashMap<>();

    private record Range(long position, long size) {}

    ChannelFile(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        this.path = path;
        appends = options.contains(StandardOpenOption.APPEND);
        try {
            channel = FileChannel.open(path, options, attributes);
        } catch (IOException e) {
            throw failed("open", e);
        }
        boolean regular = true;
        Object identity = channel;
        try {
            var found = Files.readAttributes(path, BasicFileAttributes.class);
            regular = found.isRegularFile();
            identity = Objects.requireNonNullElse(found.fileKey(), channel);
        } catch (IOException gone) {
            // No file has this name any more: it was deleted meanwhile, or opened with DELETE_ON_CLOSE. It can't be
            // opened by name again, so the channel itself is the key.
        }
        seekable = regular;
        key = identity;
    }

    @Override
    public int read(ByteBuffer into, long position) {
        try {
            return seekable ? channel.read(into, position) : channel.read(into);
        } catch (IOException e) {
            throw failed("read from", e);
        }
    }

    @Override
    public void write(ByteBuffer from, long position) {
        try {
            if (appends || position < 0) channel.write(from);
            else channel.write(from, position);
        } catch (IOException e) {
            throw failed("write to", e);
        }
    }

    @Override
    public boolean isSeekable() {
        return seekable;
    }

    @Override
    public long size() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw failed("ask for the size of", e);
        }
    }

    /**
     * Takes the size of a regular file from the open file. All other values are read by name, as the JDK has no other
     * way: they are those of the file that has the name now.
     */
    @Override
    public Status status() {
        try {
            var found = Files.readAttributes(path, BasicFileAttributes.class);
            return new Status(
                    seekable ? channel.size() : found.size(),
                    found.lastModifiedTime(),
                    found.lastAccessTime(),
                    found.creationTime(),
                    found.isDirectory(),
                    found.isRegularFile());
        } catch (IOException e) {
            throw failed("ask for the status of", e);
        }
    }

    @Override
    public void sync(boolean metadata) {
        try {
            channel.force(metadata);
        } catch (IOException e) {
            throw failed("sync", e);
        }
    }

    @Override
    public void truncate(long size) {
        try {
            if (size < channel.size()) channel.truncate(size);
            else if (size > channel.size()) channel.write(ByteBuffer.allocate(1), size - 1);
        } catch (IOException e) {
            throw failed("truncate", e);
        }
    }

    @Override
    public void lock(long position, long size, boolean shared) {
        try {
            remember(position, size, channel.lock(position, size(position, size), shared));
        } catch (IOException e) {
            throw failed("lock", e);
        } catch (OverlappingFileLockException e) {
            throw new InputOutputException(
                    "lock " + path
                            + ": EDEADLK (another channel of this process has locked this part; unlock it there first)",
                    "EDEADLK",
                    e);
        }
    }

    @Override
    public boolean tryLock(long position, long size, boolean shared) {
        try {
            FileLock lock = channel.tryLock(position, size(position, size), shared);
            if (lock == null) return false;
            remember(position, size, lock);
            return true;
        } catch (IOException e) {
            throw failed("lock", e);
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** The JDK refuses a part that reaches beyond the largest position. */
    private static long size(long position, long size) {
        return Math.min(size, Long.MAX_VALUE - position);
    }

    private synchronized void remember(long position, long size, FileLock lock) {
        locks.put(new Range(position, size), lock);
    }

    private synchronized @Nullable FileLock forget(long position, long size) {
        return locks.remove(new Range(position, size));
    }

    @Override
    public void unlock(long position, long size) {
        FileLock lock = forget(position, size);
        if (lock == null) return;
        try {
            lock.release();
        } catch (IOException e) {
            throw failed("unlock", e);
        }
    }

    @Override
    public boolean closingLosesLocks() {
        return true;
    }

    @Override
    public Object key() {
        return key;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw failed("close", e);
        }
    }

    private InputOutputException failed(String operation, IOException thrown) {
        SystemError error = SystemError.of(thrown);
        return new InputOutputException(operation + " " + path + ": " + error, error.errno(), thrown);
    }
}
