package org.trueasync.internal.io;

import org.trueasync.internal.kernel.Loop;

/**
 * A request that was handed to the reactor, which will report its end: a write, a connect, a shutdown. A coroutine that
 * stops waiting for it does not cancel it.
 */
final class SubmittedRequest extends IoRequest {
    SubmittedRequest(Loop loop, String what) {
        super(loop, what);
    }

    @Override
    protected void armSource() {}

    @Override
    protected void disarmSource() {}
}
