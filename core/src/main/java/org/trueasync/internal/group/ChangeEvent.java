package org.trueasync.internal.group;

import java.util.Collection;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Tells those who wait for something of a group that it has happened; they look for themselves. */
final class ChangeEvent extends Event implements WaitForNode {
    private final GroupCore group;
    private final String what;

    ChangeEvent(GroupCore group, String what) {
        this.group = group;
        this.what = what;
    }

    void fire() {
        notifyCallbacks(null, null);
    }

    /** It happens once, and now. */
    void fireLast() {
        close();
        notifyCallbacks(null, null);
    }

    @Override
    public void start() {
        super.start();
        if (!isClosed()) group.lendSlot();
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!isClosed()) return false;
        deliver(callback, null, null);
        return true;
    }

    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        return SettlingCoroutines.addOfAllBefore(group, Long.MAX_VALUE, by);
    }

    @Override
    public String info() {
        return what + group;
    }
}
