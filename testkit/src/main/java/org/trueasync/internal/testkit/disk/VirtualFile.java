package org.trueasync.internal.testkit.disk;

import java.nio.ByteBuffer;
import org.trueasync.InputOutputException;
import org.trueasync.spi.FileHandle;

/**
 * An open file of a {@link VirtualDisk}. Its calls take no time; whoever makes them lets the time pass before. Nothing
 * locks but programs of this host, and these are kept apart by their own table, so every lock is granted.
 */
final class VirtualFile implements FileHandle {
    private final VirtualDisk disk;
    private final String path;
    private final Node node;
    private final Options options;
    private final Object key;
    private final int life;

    VirtualFile(VirtualDisk disk, String path, Node node, Options options) {
        this.disk = disk;
        this.path = path;
        this.node = node;
        this.options = options;
        this.key = node.key;
        this.life = disk.life();
    }

    private interface Call {
        void run();
    }

    private void call(String operation, Call call) {
        try {
            if (isDead()) throw new DiskError(DiskError.CLOSED);
            call.run();
        } catch (DiskError e) {
            throw e.of(operation, path);
        }
    }

    /** True if the program that has opened it is gone. */
    private boolean isDead() {
        return life != disk.life();
    }

    @Override
    public int read(ByteBuffer into, long position) {
        int[] count = {0};
        call("read from", () -> count[0] = disk.read(node, into, position));
        return count[0];
    }

    @Override
    public void write(ByteBuffer from, long position) {
        call("write to", () -> {
            disk.write(node, from, options.appends() ? -1 : position);
            if (options.syncs()) disk.sync(node);
        });
    }

    /** False for a folder, which can be opened to sync it. */
    @Override
    public boolean isSeekable() {
        return !node.isFolder();
    }

    @Override
    public long size() {
        return status().size();
    }

    @Override
    public Status status() {
        if (isDead())
            throw new InputOutputException("ask for the status of " + path + ": " + DiskError.CLOSED, "EBADF");
        return new Status(node.size(), node.modified, node.accessed, node.created, node.isFolder(), !node.isFolder());
    }

    @Override
    public void sync(boolean metadata) {
        call("sync", () -> disk.sync(node));
    }

    @Override
    public void truncate(long size) {
        call("truncate", () -> disk.resize(node, size));
    }

    @Override
    public void lock(long position, long size, boolean shared) {}

    @Override
    public boolean tryLock(long position, long size, boolean shared) {
        return true;
    }

    @Override
    public void unlock(long position, long size) {}

    @Override
    public Object key() {
        return key;
    }

    @Override
    public void close() {
        if (!isDead()) disk.closed(node);
    }
}
