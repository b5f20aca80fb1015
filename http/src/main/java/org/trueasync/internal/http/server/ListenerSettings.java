package org.trueasync.internal.http.server;

import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.io.PipeServer;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;

/** One place where a server listens, and what it speaks there. */
public final class ListenerSettings implements Cloneable {
    /** Makes the defaults. */
    public ListenerSettings() {}

    public String host = "0.0.0.0";
    public int port;
    /** A Unix socket's file, in place of host and port; null for TCP. */
    public @Nullable Path file;

    public PipeServer.Options fileOptions = PipeServer.Options.DEFAULT;
    public boolean onEachCore;
    public int backlog = 511;
    /** For the connection that has come; null without TLS. */
    public @Nullable Function<TcpStream, TlsOptions> tls;

    public boolean http1 = true;
    public boolean http2 = true;
    /** Whose connections begin with a header of the PROXY protocol; null if none does. */
    public @Nullable TrustedPeers proxies;
    /** What of a request's head tells whom a proxy stands for; null if it is not looked at. */
    public @Nullable Forwarding forwarding;

    /** What is set now. */
    public ListenerSettings copy() {
        try {
            return (ListenerSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
