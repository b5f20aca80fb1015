package org.trueasync.internal.testkit.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file of a {@link VirtualDisk} as the JDK's channel. Every call takes its time, which passes when it has ended. */
final class VirtualFileChannel extends FileChannel {
    private static final int PIECE = 64 * 1024;

    private final VirtualDisk disk;
    private final Node node;
    private final Options options;
    private final int life;
    private long position;

    VirtualFileChannel(VirtualDisk disk, Node node, Options options) {
        this.disk = disk;
        this.node = node;
        this.options = options;
        this.life = disk.life();
    }

    private interface Call {
        long make();
    }

    private long call(boolean sync, Call call) throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        try {
            if (life != disk.life()) throw new DiskError(DiskError.CLOSED);
            return call.make();
        } catch (DiskError e) {
            throw e.ofChannel();
        } finally {
            disk.held(sync);
        }
    }

    private void requireReadable() throws ClosedChannelException {
        if (!isOpen()) throw new ClosedChannelException();
        if (!options.reads()) throw new NonReadableChannelException();
    }

    private void requireWritable() throws ClosedChannelException {
        if (!isOpen()) throw new ClosedChannelException();
        if (!options.writes()) throw new NonWritableChannelException();
    }

    private static void requirePositive(long number) {
        if (number < 0) throw new IllegalArgumentException("must be >= 0, got " + number);
    }

    // ---- reading

    @Override
    public int read(ByteBuffer into) throws IOException {
        requireReadable();
        int count = (int) call(false, () -> disk.read(node, into, position));
        if (count > 0) position += count;
        return count;
    }

    @Override
    public int read(ByteBuffer into, long from) throws IOException {
        requirePositive(from);
        requireReadable();
        return (int) call(false, () -> disk.read(node, into, from));
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!into[i].hasRemaining()) continue;
            int count = read(into[i]);
            if (count < 0) return sum == 0 ? -1 : sum;
            sum += count;
            if (into[i].hasRemaining()) break;
        }
        return sum;
    }

    // ---- writing

    @Override
    public int write(ByteBuffer from) throws IOException {
        requireWritable();
        int count = writeAt(from, options.appends() ? -1 : position);
        position = options.appends() ? node.size() : position + count;
        return count;
    }

    @Override
    public int write(ByteBuffer from, long to) throws IOException {
        requirePositive(to);
        requireWritable();
        return writeAt(from, options.appends() ? -1 : to);
    }

    private int writeAt(ByteBuffer from, long to) throws IOException {
        int before = from.remaining();
        call(options.syncs(), () -> {
            disk.write(node, from, to);
            if (options.syncs()) disk.sync(node);
            return 0;
        });
        return before - from.remaining();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += write(from[i]);
            if (from[i].hasRemaining()) break;
        }
        return sum;
    }

    // ---- position, size, sync

    @Override
    public long position() throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        return options.appends() ? node.size() : position;
    }

    @Override
    public FileChannel position(long to) throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        requirePositive(to);
        position = to;
        return this;
    }

    @Override
    public long size() throws IOException {
        return call(false, node::size);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        requirePositive(size);
        requireWritable();
        call(false, () -> {
            if (size < node.size()) disk.resize(node, size);
            return 0;
        });
        position = Math.min(position, size);
        return this;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        call(true, () -> {
            disk.sync(node);
            return 0;
        });
    }

    // ---- copying

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        requirePositive(from);
        requirePositive(count);
        requireReadable();
        long sum = 0;
        while (sum < count) {
            var bytes = ByteBuffer.allocate((int) Math.min(PIECE, count - sum));
            if (read(bytes, from + sum) <= 0) break;
            int read = bytes.flip().remaining();
            sum += target.write(bytes);
            if (bytes.hasRemaining() || read < bytes.capacity()) break;
        }
        return sum;
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) throws IOException {
        requirePositive(to);
        requirePositive(count);
        requireWritable();
        if (to > node.size()) return 0;
        long sum = 0;
        while (sum < count) {
            var bytes = ByteBuffer.allocate((int) Math.min(PIECE, count - sum));
            if (source.read(bytes) <= 0) break;
            bytes.flip();
            while (bytes.hasRemaining()) sum += write(bytes, to + sum);
        }
        return sum;
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw VirtualFileSystemProvider.lacks("maps of files");
    }

    // ---- locks

    /** Only this host's program uses the disk: a lock that overlaps is its own, which the JDK refuses. */
    @Override
    public FileLock lock(long from, long size, boolean shared) throws IOException {
        if (shared) requireReadable();
        else requireWritable();
        var lock = new Lock(this, from, size, shared);
        call(false, () -> {
            for (FileLock other : node.locks)
                if (other.overlaps(lock.position(), lock.size())) throw new OverlappingFileLockException();
            node.locks.add(lock);
            return 0;
        });
        return lock;
    }

    @Override
    public FileLock tryLock(long from, long size, boolean shared) throws IOException {
        return lock(from, size, shared);
    }

    private static final class Lock extends FileLock {
        private final VirtualFileChannel channel;

        Lock(VirtualFileChannel channel, long from, long size, boolean shared) {
            super(channel, from, size == 0 ? Long.MAX_VALUE - from : size, shared);
            this.channel = channel;
        }

        @Override
        public boolean isValid() {
            return channel.node.locks.contains(this);
        }

        @Override
        public void release() throws IOException {
            if (!channel.isOpen()) throw new ClosedChannelException();
            channel.node.locks.remove(this);
        }
    }

    @Override
    protected void implCloseChannel() {
        if (life != disk.life()) return;
        node.locks.removeIf(lock -> lock.acquiredBy() == this);
        disk.closed(node);
        disk.held(false);
    }
}
