package org.trueasync.internal.testkit;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * TCP ports for servers that are started later.
 *
 * <p>A port that was found free may be taken before its server listens, by another build on the same machine that looks
 * for one. So a process owns the ports that it gives out: it listens on the first port of a block until it ends, and
 * another process passes over the block. No port is given out twice.
 */
public final class FreePort {
    // below the ports that the system gives to whoever wants any
    private static final int FIRST = 15_000;
    private static final int BLOCK = 100;
    private static final int BLOCKS = 170;

    private static final List<ServerSocket> OWNED = new ArrayList<>();
    private static int next;
    private static int end;

    private FreePort() {}

    /**
     * Returns a port on which nobody listens now.
     *
     * @throws IOException if all blocks are taken
     */
    public static synchronized int any() throws IOException {
        while (true) {
            if (next == end) {
                next = ownBlock() + 1;
                end = next + BLOCK - 1;
            }
            int port = next++;
            try {
                new ServerSocket(port).close();
                return port;
            } catch (BindException taken) {
                // another one
            }
        }
    }

    private static int ownBlock() throws IOException {
        int chosen = ThreadLocalRandom.current().nextInt(BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            int mark = FIRST + (chosen + i) % BLOCKS * BLOCK;
            try {
                OWNED.add(new ServerSocket(mark));
                return mark;
            } catch (BindException taken) {
                // another one
            }
        }
        throw new IOException("every 100th port from " + FIRST + " to " + (FIRST + (BLOCKS - 1) * BLOCK)
                + " is taken: other builds use them all?");
    }
}
