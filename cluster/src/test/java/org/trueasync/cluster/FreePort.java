package org.trueasync.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for members that are started later. */
public final class FreePort {
    private FreePort() {}

    /**
     * Returns a port that is free now. It is below those that the system gives to whoever wants any, so nobody gets it
     * by chance before it is used.
     */
    public static int any() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (var socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // another one
            }
        }
    }
}
