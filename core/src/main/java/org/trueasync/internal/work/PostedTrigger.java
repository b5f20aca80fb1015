package org.trueasync.internal.work;

import java.util.concurrent.atomic.AtomicBoolean;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.TriggerEvent;

/** A trigger that goes through the loop's remote queue. */
public final class PostedTrigger extends TriggerEvent {
    private final Loop loop;
    /** True while a trigger is on its way to the loop; further ones are merged with it. */
    private final AtomicBoolean underWay = new AtomicBoolean();
    /** True if a trigger has arrived while nothing waited. */
    private boolean kept;

    public PostedTrigger(Loop loop) {
        super(loop.activeEvents());
        this.loop = loop;
    }

    @Override
    public void trigger() {
        if (underWay.compareAndSet(false, true)) loop.post(this::arrived);
    }

    private void arrived() {
        underWay.set(false);
        if (isClosed()) return;
        if (isActive()) notifyCallbacks(null, null);
        else kept = true;
    }

    @Override
    protected void armSource() {
        if (!kept) return;
        kept = false;
        notifyCallbacks(null, null);
    }

    @Override
    protected void disarmSource() {}

    @Override
    public String info() {
        return isClosed() ? "trigger, closed" : "trigger";
    }
}
