package org.trueasync.internal.io;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/**
 * Listeners that refer weakly to their stream, server or socket and pass on what the reactor reports. So the garbage
 * collector finds one that the program has lost. A coroutine that waits on one has it on its stack.
 */
final class WeakListeners {
    private WeakListeners() {}

    static final class OfStream extends WeakReference<StreamCore> implements StreamHandle.Listener {
        OfStream(StreamCore stream) {
            super(stream);
            stream.loop.noteHeldWeakly(stream);
        }

        @Override
        public void onConnected(@Nullable SystemError error) {
            StreamCore stream = get();
            if (stream != null) stream.onConnected(error);
        }

        @Override
        public void onBytes(ByteBuffer bytes) {
            StreamCore stream = get();
            if (stream != null) stream.onBytes(bytes);
        }

        @Override
        public void onEnd() {
            StreamCore stream = get();
            if (stream != null) stream.onEnd();
        }

        @Override
        public void onReadError(SystemError error) {
            StreamCore stream = get();
            if (stream != null) stream.onReadError(error);
        }

        @Override
        public void onWritten(@Nullable SystemError error) {
            StreamCore stream = get();
            if (stream != null) stream.onWritten(error);
        }

        @Override
        public void onShutdown(@Nullable SystemError error) {
            StreamCore stream = get();
            if (stream != null) stream.onShutdown(error);
        }
    }

    static final class OfServer extends WeakReference<ListenCore> implements ListenHandle.Listener {
        OfServer(ListenCore server) {
            super(server);
            server.loop.noteHeldWeakly(server);
        }

        @Override
        public void onConnection() {
            ListenCore server = get();
            if (server != null) server.onConnection();
        }

        @Override
        public void onError(SystemError error) {
            ListenCore server = get();
            if (server != null) server.onError(error);
        }
    }

    static final class OfSocket extends WeakReference<UdpCore> implements UdpHandle.Listener {
        OfSocket(UdpCore socket) {
            super(socket);
            socket.loop.noteHeldWeakly(socket);
        }

        @Override
        public void onReadable() {
            UdpCore socket = get();
            if (socket != null) socket.onReadable();
        }

        @Override
        public void onWritable() {
            UdpCore socket = get();
            if (socket != null) socket.onWritable();
        }
    }
}
