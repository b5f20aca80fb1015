package org.trueasync.internal.testkit;

import java.net.DatagramSocket;
import java.net.DatagramSocketImplFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.testkit.disk.VirtualDisk;
import org.trueasync.internal.testkit.jdk.JdkTime;

/** What the JDK's files, sockets and names are on the hosts of a {@link World}; null where they are the real ones. */
final class JdkDoors {
    private static final InetAddress[] NONE = {};

    private final World world;

    JdkDoors(World world) {
        this.world = world;
    }

    /** For the calling thread, which has entered the world's time. */
    void open() {
        JdkTime.simulate(this::host, this::files, this::socket, this::names);
    }

    private @Nullable BooleanSupplier host() {
        VirtualReactor host = world.running;
        return host == null ? null : host.gone;
    }

    private @Nullable FileSystemProvider files(Path path) {
        VirtualReactor host = world.running;
        VirtualDisk disk = host == null ? null : host.disk();
        return disk == null ? null : disk.providerOf(path);
    }

    private @Nullable Object socket(Class<?> type) {
        VirtualReactor host = world.running;
        if (host == null) return null;
        NetworkStack stack = host.stack();
        if (type == SelectorProvider.class) return stack.channels;
        if (type != DatagramSocket.class) return PlatformSocket.create(stack, type == ServerSocket.class);
        return (DatagramSocketImplFactory) () -> new VirtualDatagramSocket(stack);
    }

    private InetAddress @Nullable [] names(Object asked) {
        VirtualReactor host = world.running;
        if (host == null) return null;
        if (asked instanceof InetAddress address) return new InetAddress[] {named(address)};
        String name = asked.equals("") ? host.stack().toString() : (String) asked;
        List<InetAddress> found = host.stack().addressesOf(name);
        return found == null ? null : found.toArray(NONE);
    }

    private InetAddress named(InetAddress address) {
        String name = address.isLoopbackAddress() ? "localhost" : world.network.nameOf(address);
        try {
            return InetAddress.getByAddress(name, address.getAddress());
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // of a wrong length
        }
    }
}
