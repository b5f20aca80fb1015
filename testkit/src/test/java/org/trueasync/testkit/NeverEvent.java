package org.trueasync.testkit;

import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** An event of which nobody knows that it could happen. */
final class NeverEvent extends Event {
    void await() {
        Waker waker = Waker.current();
        waker.resumeWhen(this, ResumeCallback.RESOLVE);
        waker.await();
    }

    @Override
    public String info() {
        return "never";
    }
}
