package org.trueasync.internal.http.server;

/** What a server has done so far. Loop thread. */
public final class ServerCounters {
    ServerCounters() {}

    public long accepted;
    public int open;
    public long refusedConnections;
    public long failedHandshakes;
    public long requests;
    public int running;
    public int queued;
    public long refusedRequests;
    public final long[] byClass = new long[6];
    public long failures;
    public long aborted;
    public long cancelled;
    public long malformed;
    public long idleTimeouts;
    public long headTimeouts;
    public long bodyTimeouts;
    public long writeTimeouts;
    public long requestTimeouts;
    public long tooLarge;
    public long bytesIn;
    public long bytesOut;
}
