package org.trueasync.internal.io;

import org.trueasync.internal.kernel.Loop;

/** Something that was handed to the reactor and will be reported back: a write, a connect, a shutdown. Giving up the wait does not take it back. */
final class SubmittedRequest extends IoRequest {
    SubmittedRequest(Loop loop, String what) {
        super(loop, what);
    }

    @Override
    protected void armSource() {}

    @Override
    protected void disarmSource() {}
}
