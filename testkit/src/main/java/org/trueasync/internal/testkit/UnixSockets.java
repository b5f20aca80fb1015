package org.trueasync.internal.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** The Unix sockets of a {@link NetworkStack}. Their names are in no file system, and end with the host's program. */
final class UnixSockets {
    private static final SystemError NOBODY = new SystemError("ENOENT", "no such file or directory");
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final long LATENCY = 10_000;

    private final NetworkStack stack;
    private final Map<Path, VirtualListener> byPath = new HashMap<>();

    UnixSockets(NetworkStack stack) {
        this.stack = stack;
    }

    VirtualListener listen(Path path, int backlog, ListenHandle.Listener listener) {
        Path name = path.normalize();
        if (byPath.containsKey(name)) throw failed("listen on", path, NetworkStack.IN_USE);
        var none = new Binding(HERE.getAddress(), false, false);
        var made = new VirtualListener(stack, UnixDomainSocketAddress.of(path), none, backlog, listener);
        byPath.put(name, made);
        return made;
    }

    VirtualTcp connect(Path path, StreamHandle.Listener listener) {
        VirtualListener server = byPath.get(path.normalize());
        if (server == null) throw failed("connect to", path, NOBODY);
        var client = new VirtualTcp(stack, HERE, HERE, path.toString(), listener);
        stack.after(LATENCY, () -> server.arrived(client));
        return client;
    }

    void closed(Path path, VirtualListener listener) {
        byPath.remove(path.normalize(), listener);
    }

    void clear() {
        byPath.clear();
    }

    private static InputOutputException failed(String operation, Path path, SystemError error) {
        return new InputOutputException(operation + " " + path + ": " + error, error.errno());
    }
}
