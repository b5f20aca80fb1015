package org.trueasync.internal.testkit;

import java.util.function.Supplier;
import org.trueasync.spi.Event;

/** An event that never fires, and runs a test's code to say what it is. */
public final class TalkingEvent extends Event {
    private final Supplier<String> info;

    /**
     * An event.
     *
     * @param info called by {@link #info()}
     */
    public TalkingEvent(Supplier<String> info) {
        this.info = info;
    }

    @Override
    protected void arm() {}

    @Override
    protected void disarm() {}

    @Override
    public String info() {
        return info.get();
    }
}
