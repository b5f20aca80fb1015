package org.trueasync.internal.inspect;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.run.RunObserver;

/**
 * Opens the socket of a process that is to be inspected, half a second after the beginning of its first run: short
 * programs do not pay for it.
 */
public final class Inspector implements RunObserver {
    /**
     * The system property that asks for the socket: {@code true} for as long as a runtime runs, {@code process} until
     * the process ends. Read at the beginning of each run.
     */
    public static final String PROPERTY = "org.trueasync.inspectable";

    private static final long DELAY_MILLIS = 500;

    private static final Object LOCK = new Object();
    /** The runs that want the socket. */
    private static int runs;

    private static @Nullable InspectionServer server;
    private static @Nullable Thread opener;

    /** For the service loader. */
    public Inspector() {}

    @Override
    public Runnable watch(Loop loop) {
        String wanted = System.getProperty(PROPERTY, "");
        boolean wholeProcess = wanted.equals("process");
        if (!wholeProcess && !wanted.equals("true")) return () -> {};
        begin(wholeProcess ? report -> {} : loop.settings().diagnostics());
        return wholeProcess ? () -> {} : Inspector::end;
    }

    private static void begin(Consumer<String> sink) {
        synchronized (LOCK) {
            runs++;
            if (server != null || opener != null) return;
            opener = Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name("trueasync-inspection-opener")
                    .uncaughtExceptionHandler((thread, full) -> {}) // no memory: the program's own report matters more
                    .start(() -> open(sink));
        }
    }

    private static void open(Consumer<String> sink) {
        try {
            Thread.sleep(DELAY_MILLIS);
        } catch (InterruptedException over) {
            return;
        }
        String failure = null;
        synchronized (LOCK) {
            if (opener != Thread.currentThread()) return;
            opener = null;
            try {
                server = InspectionServer.open(SocketPlace.ofUser());
            } catch (IOException | UnsupportedOperationException e) {
                failure = "This process can't be inspected (" + PROPERTY + "): " + e.getMessage();
            }
        }
        if (failure != null) sink.accept(failure);
    }

    private static void end() {
        synchronized (LOCK) {
            if (--runs > 0) return;
            if (opener != null) opener.interrupt();
            opener = null;
            if (server != null) server.close();
            server = null;
        }
    }
}
