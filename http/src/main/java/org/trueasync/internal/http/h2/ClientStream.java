package org.trueasync.internal.http.h2;

import java.util.ArrayDeque;
import org.trueasync.InputOutputException;

/** A stream as its client sees it: it begins with the head that is sent. Loop thread. */
public final class ClientStream extends H2Stream {
    private final H2Client connection;
    private final boolean withoutBody;
    private final ArrayDeque<ResponseHead> heads = new ArrayDeque<>(2);
    private int interim;
    private boolean begun;
    private boolean complete;

    ClientStream(H2Client connection, int id, boolean withoutBody, int sendWindow, int receiveWindow) {
        super(connection, id, sendWindow, receiveWindow);
        this.connection = connection;
        this.withoutBody = withoutBody;
        length = 0; // before the head there is no body
    }

    /**
     * Waits for the next head: those that say that the server is at work, then that of the response.
     *
     * @param nanos 0 for ever
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    public ResponseHead head(long nanos) {
        while (true) {
            ResponseHead next = heads.poll();
            if (next != null) return next;
            if (hasReceivedAll()) throw new InputOutputException("malformed response: it has no head", "EPROTO");
            requireOpen();
            connection.await(reading, nanos);
        }
    }

    /** True if the head of a response has come. */
    public boolean hasBegunResponse() {
        return begun;
    }

    boolean hasHead() {
        return complete;
    }

    /** Returns false if it must not come, or is one too many. */
    boolean received(ResponseHead head, boolean last, int mostInterim) {
        begun = true;
        heads.add(head);
        reading.wake();
        if (head.isInterim()) return !last && ++interim <= mostInterim;
        complete = true;
        boolean isBare = withoutBody || head.status() == 204 || head.status() == 304;
        length = isBare ? 0 : head.length();
        if (last) receivedAll();
        return !last || length <= 0;
    }
}
