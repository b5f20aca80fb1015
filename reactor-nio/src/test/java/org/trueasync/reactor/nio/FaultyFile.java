package org.trueasync.reactor.nio;

import static org.trueasync.reactor.nio.FaultyCalls.call;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file whose calls may fail. */
final class FaultyFile extends FileChannel {
    private final FileChannel real;

    FaultyFile(FileChannel real) {
        this.real = real;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return call("FileChannel.read", () -> real.read(into));
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return call("FileChannel.read", () -> real.read(into, offset, length));
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return call("FileChannel.read", () -> real.read(into, position));
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return call("FileChannel.write", () -> real.write(from));
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        return call("FileChannel.write", () -> real.write(from, offset, length));
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        return call("FileChannel.write", () -> real.write(from, position));
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return call("FileChannel.size", real::size);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        call("FileChannel.truncate", () -> real.truncate(size));
        return this;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        call("FileChannel.force", () -> {
            real.force(metadata);
            return null;
        });
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return real.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return real.transferFrom(source, position, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return real.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return call("FileChannel.lock", () -> real.lock(position, size, shared));
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return call("FileChannel.tryLock", () -> real.tryLock(position, size, shared));
    }

    @Override
    protected void implCloseChannel() throws IOException {
        call("FileChannel.close", () -> {
            real.close();
            return null;
        });
    }
}
