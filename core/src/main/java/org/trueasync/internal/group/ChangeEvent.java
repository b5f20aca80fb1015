package org.trueasync.internal.group;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** The event that something in a group has happened. It carries no value: woken waiters look at the group. */
final class ChangeEvent extends Event implements WaitForNode, HeldByWakers {
    private final GroupCore group;
    private final String what;

    ChangeEvent(GroupCore group, String what) {
        this.group = group;
        this.what = what;
    }

    void fire() {
        notifyCallbacks(null, null);
    }

    /** Fires for the only time. */
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
    public void isReachableAgain() {
        group.isReachableAgain();
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
    public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        return group.isEnd(this) ? SettlingCoroutines.neededForAllBefore(group, Long.MAX_VALUE, sought) : null;
    }

    @Override
    public String info() {
        return what + group;
    }
}
