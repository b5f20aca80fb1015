package org.trueasync.reactor.nio;

import java.nio.channels.Selector;
import org.trueasync.spi.LoopTrigger;

/** Wakes a selector; if it is closed, that does nothing. */
final class Trigger extends LoopTrigger {
    private final Selector selector;

    Trigger(Selector selector) {
        this.selector = selector;
    }

    @Override
    protected void wake() {
        selector.wakeup();
    }
}
