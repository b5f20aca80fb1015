package org.trueasync.reactor.nio;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends signals for which the JDK has no call, by running {@code kill}: one after another, on a thread that ends when
 * all are sent.
 */
final class Signals {
    private static final ConcurrentLinkedQueue<Runnable> WAITING = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Signals() {}

    /** Queues a signal, which is sent soon if the child is still alive then. Any thread; returns at once. */
    static void send(Process child, int signal) {
        WAITING.add(() -> run(child, signal));
        if (COUNT.getAndIncrement() == 0) Pumps.start("signals", Signals::sendAll);
    }

    private static void sendAll() {
        do {
            Runnable next = WAITING.poll();
            if (next != null) next.run();
        } while (COUNT.decrementAndGet() > 0);
    }

    private static void run(Process child, int signal) {
        if (!child.isAlive()) return;
        try {
            ProcessStart.start(new ProcessBuilder("/bin/kill", "-" + signal, Long.toString(child.pid()))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD))
                    .waitFor();
        } catch (IOException noSuchCommand) {
            // there is no other way to send it
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
    }
}
