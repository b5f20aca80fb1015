package org.trueasync.io;

import static org.trueasync.spi.ChildHandle.Redirect.PIPE;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.disk.VirtualDisk;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TerminalHandle;
import org.trueasync.spi.UdpHandle;
import org.trueasync.spi.WatchHandle;

/**
 * A {@link VirtualReactor} with a disk, and with children, terminals and watched folders that do nothing until a test
 * says so.
 */
final class DeviceReactor extends VirtualReactor {
    /** Counted down from there: beyond the process numbers of any system. */
    private static final long LAST_PID = Integer.MAX_VALUE;

    final VirtualDisk files = new VirtualDisk(new SplittableRandom(1));
    final List<Child> children = new ArrayList<>();
    final List<Device> terminals = new ArrayList<>();
    final List<Watch> watches = new ArrayList<>();
    final List<Datagrams> sockets = new ArrayList<>();
    private int open;

    DeviceReactor() {
        mount(files);
    }

    /** Names are looked up by real threads: the tests hold them. */
    @Override
    public Executor helpers(Executor threads, String call) {
        return call.startsWith("look-up of ") ? threads : super.helpers(threads, call);
    }

    @Override
    public ChildHandle spawn(ChildHandle.Spec spec, ChildHandle.Listener listener) {
        var child = new Child(spec, listener);
        children.add(child);
        return child;
    }

    @Override
    public TerminalHandle terminal(int descriptor, StreamHandle.Listener listener) {
        var terminal = new Device(listener);
        terminals.add(terminal);
        return terminal;
    }

    @Override
    public WatchHandle watch(Path path, WatchHandle.Listener listener) {
        var watch = new Watch(listener);
        watches.add(watch);
        return watch;
    }

    @Override
    public UdpHandle bindUdp(InetSocketAddress local, UdpHandle.Options options, UdpHandle.Listener listener) {
        var socket = new Datagrams(super.bindUdp(local, options, listener), listener);
        sockets.add(socket);
        return socket.asHandle();
    }

    @Override
    public int openHandles() {
        return super.openHandles() + open;
    }

    /** A process that ends when it is told to, or at SIGTERM if it minds it. */
    final class Child implements ChildHandle {
        private final long pid = LAST_PID - children.size();
        private final Listener listener;
        final @Nullable Device input;
        final @Nullable Device output;
        final @Nullable Device error;
        boolean mindsSignals = true;
        private boolean ended;
        private boolean closed;

        Child(Spec spec, Listener listener) {
            this.listener = listener;
            this.input = device(spec.inputFrom(), spec.input());
            this.output = device(spec.outputTo(), spec.output());
            this.error = device(spec.errorTo(), spec.error());
            open++;
        }

        private @Nullable Device device(Redirect to, StreamHandle.@Nullable Listener pipe) {
            return to == PIPE && pipe != null ? new Device(pipe) : null;
        }

        /** It ends, with what it has left of its output. */
        void ends(int signal) {
            if (ended) return;
            ended = true;
            for (Device device : new Device[] {output, error}) if (device != null) device.ends();
            expect(() -> {
                if (!closed) listener.onExit(0, signal);
            });
        }

        @Override
        public long pid() {
            return pid;
        }

        @Override
        public @Nullable StreamHandle input() {
            return input;
        }

        @Override
        public @Nullable StreamHandle output() {
            return output;
        }

        @Override
        public @Nullable StreamHandle error() {
            return error;
        }

        @Override
        public @Nullable SystemError kill(int signal) {
            if (ended) return new SystemError("ESRCH", "no such process");
            if (mindsSignals || signal == 9) ends(signal);
            return null;
        }

        @Override
        public void close() {
            if (!closed) open--;
            closed = true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }

    /** A stream without another end. It takes so many bytes. */
    final class Device implements TerminalHandle {
        private final Listener listener;
        private final List<ByteBuffer> waiting = new ArrayList<>();

        @Nullable
        Size size = new Size(80, 25);

        private boolean reading;
        private boolean ended;
        private boolean closed;
        private int room;
        private int queued;

        Device(Listener listener) {
            this.listener = listener;
            open++;
        }

        /** Bytes come in. */
        void receives(String text) {
            waiting.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            expect(this::deliver);
        }

        void ends() {
            ended = true;
            expect(this::deliver);
        }

        /** It takes all that waits. */
        void takes() {
            expect(() -> {
                room = Integer.MAX_VALUE;
                for (; queued > 0 && !closed; queued--) listener.onWritten(null);
            });
        }

        private void deliver() {
            while (reading && !closed && !waiting.isEmpty()) listener.onBytes(waiting.removeFirst());
            if (!reading || closed || !ended || !waiting.isEmpty()) return;
            reading = false;
            listener.onEnd();
        }

        @Override
        public @Nullable SystemError startReading() {
            reading = true;
            if (!waiting.isEmpty() || ended) expect(this::deliver);
            return null;
        }

        @Override
        public void stopReading() {
            reading = false;
        }

        @Override
        public void readNow() {
            while (!waiting.isEmpty()) listener.onBytes(waiting.removeFirst());
        }

        @Override
        public @Nullable SystemError tryWrite(ByteBuffer bytes) {
            if (queued > 0) return null;
            int count = Math.min(room, bytes.remaining());
            bytes.position(bytes.position() + count);
            return null;
        }

        @Override
        public void write(ByteBuffer bytes) {
            bytes.position(bytes.limit());
            queued++;
            if (room > 0) takes();
        }

        @Override
        public void shutdown() {
            expect(() -> listener.onShutdown(null));
        }

        @Override
        public @Nullable SystemError setRaw(boolean raw) {
            return null;
        }

        @Override
        public @Nullable Size size() {
            return size;
        }

        @Override
        public void close() {
            if (!closed) open--;
            closed = true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }

    /** A simulated socket that at times has no room for what is sent. */
    final class Datagrams {
        private final UdpHandle simulated;
        private final UdpHandle.Listener listener;
        private boolean full;

        Datagrams(UdpHandle simulated, UdpHandle.Listener listener) {
            this.simulated = simulated;
            this.listener = listener;
        }

        void isFull(boolean so) {
            full = so;
            if (!so) expect(listener::onWritable);
        }

        private UdpHandle asHandle() {
            return (UdpHandle) Proxy.newProxyInstance(
                    UdpHandle.class.getClassLoader(), new Class<?>[] {UdpHandle.class}, (_, method, arguments) -> {
                        if (full && method.getName().equals("send")) return false;
                        try {
                            return method.invoke(simulated, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    /** A watched folder. */
    final class Watch implements WatchHandle {
        private final Listener listener;
        private boolean closed;

        Watch(Listener listener) {
            this.listener = listener;
            open++;
        }

        void changes(String name) {
            expect(() -> {
                if (!closed) listener.onChange(name, false, true);
            });
        }

        @Override
        public void close() {
            if (!closed) open--;
            closed = true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }
}
