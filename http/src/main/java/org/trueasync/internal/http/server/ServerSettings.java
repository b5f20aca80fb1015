package org.trueasync.internal.http.server;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a server is told at its start. Times in nanoseconds; 0 for no limit. */
public final class ServerSettings implements Cloneable {
    /** Makes the defaults. */
    public ServerSettings() {}

    /** Where it listens. */
    public List<ListenerSettings> listeners = List.of();

    public int maxHeaderBytes = 16 * 1024;
    public long maxBodyBytes = 8 * 1024 * 1024;
    public int maxConnections = 100_000;
    public long maxRequestsPerConnection = Long.MAX_VALUE;
    public long ageNanos;
    /** For what is under way on a connection that is too old. */
    public long ageGraceNanos;

    public int maxRunning = Integer.MAX_VALUE;
    public int maxQueued;
    public long idleNanos = 60_000_000_000L;
    public long headNanos = 10_000_000_000L;
    public long bodyNanos = 30_000_000_000L;
    public long writeNanos = 30_000_000_000L;
    public long requestNanos;
    /** Bytes from which on a response is compressed; 0 for never. */
    public int compressFrom;
    /** 1 to 9, from the fastest to the smallest. */
    public int compressionLevel = 1;

    public boolean decodesBodies;
    public boolean cancelsAbandoned = true;
    public @Nullable Consumer<Served> listener;

    /** What is set now, for one server. */
    public ServerSettings copy() {
        try {
            return (ServerSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
