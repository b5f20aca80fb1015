package org.trueasync.internal.inspect;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Semaphore;

/**
 * The socket of this process. While nobody asks, its thread waits for a connection. A connection asks one question, and
 * is served by a thread of its own. All these threads are daemons.
 */
final class InspectionServer {
    private static final int MAX_CONNECTIONS = 8;

    private final ServerSocketChannel server;
    private final Path path;
    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);

    private InspectionServer(ServerSocketChannel server, Path path) {
        this.server = server;
        this.path = path;
    }

    /**
     * Opens the socket.
     *
     * @param place where
     * @throws IOException if there is no place for it that is the user's alone
     */
    static InspectionServer open(SocketPlace place) throws IOException {
        Path path = SocketPlace.in(place.create(), ProcessHandle.current().pid());
        // left by an earlier process with this number
        Files.deleteIfExists(path);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            path.toFile().deleteOnExit(); // after the shutdown hooks: one may ask until then
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        } catch (Throwable e) {
            server.close();
            throw e;
        }
        var opened = new InspectionServer(server, path);
        thread("trueasync-inspection", opened::serve);
        return opened;
    }

    private static void thread(String name, Runnable body) {
        Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .uncaughtExceptionHandler((thread, full) -> {}) // no memory: whoever asks may ask again
                .start(body);
    }

    private void serve() {
        while (true) {
            try {
                SocketChannel client = server.accept();
                thread("trueasync-inspection-answer", () -> answer(client));
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException | OutOfMemoryError e) {
                if (!pause()) return;
            }
        }
    }

    /** Keeps an accept that fails at once, for want of descriptors for instance, from spinning. */
    private static boolean pause() {
        try {
            Thread.sleep(100);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void answer(SocketChannel client) {
        boolean admitted = free.tryAcquire();
        try (client) {
            Request.answer(client, admitted);
        } catch (IOException gone) {
            // whoever has asked does not wait for the answer any more
        } finally {
            if (admitted) free.release();
        }
    }

    /** Ends it and removes the socket. */
    void close() {
        try {
            server.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // the command finds out that nobody answers there, and removes it
        }
    }
}
