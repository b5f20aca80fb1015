package org.trueasync.internal.http.server;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Trace;

/** What few requests need, so that the others have no room for it. */
final class RequestExtras {
    /** What a proxy tells; null before anybody asks. */
    @Nullable
    Forwarded forwarded;

    /** -1 for the server's limit. */
    long maxBodyBytes = -1;

    boolean partsTaken;
    /** Who asks, as a filter has found out. */
    @Nullable
    Object principal;

    /** Null if no filter has looked for one. */
    @Nullable
    Trace trace;
}
