package org.trueasync.bench;

import java.io.IOException;
import java.net.ServerSocket;

/** A port for a child that is about to listen. */
public final class FreePort {
    private FreePort() {}

    /** Returns a port on which no process listens now. */
    public static int find() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
