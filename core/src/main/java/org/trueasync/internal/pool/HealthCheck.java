package org.trueasync.internal.pool;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.TimerEvent;

/**
 * Periodically checks the idle resources, in a coroutine of its own, one after the other; then makes resources until
 * the pool has its minimum. The resource that is being checked counts as active, so nobody gets it. If a round is still
 * under way when the next one is due, the next one is skipped. The timer is hidden: it does not keep a run alive.
 */
final class HealthCheck<R> extends EventCallback {
    private final PoolCore<R> pool;
    private final TimerEvent timer;
    private boolean underWay;
    /** True after a report that the factory has failed, until a round has made all that was missing. */
    private boolean failing;

    HealthCheck(PoolCore<R> pool) {
        this.pool = pool;
        timer = pool.loop.timers().periodic(Duration.ofNanos(pool.settings.healthcheckNanos()));
        timer.setHidden(true);
    }

    void start() {
        timer.addCallback(this);
        timer.start();
    }

    void stop() {
        timer.removeCallback(this);
        timer.dispose();
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        if (underWay) return;
        underWay = true;
        pool.loop.continueWith(this::round);
    }

    private void round() {
        try {
            for (int unchecked = pool.idle.size(); unchecked > 0; unchecked--) {
                Slot<R> slot = pool.idle.poll();
                if (slot == null) break;
                check(slot);
            }
            topUp();
        } finally {
            underWay = false;
        }
    }

    private void check(Slot<R> slot) {
        boolean healthy = false;
        try {
            healthy = pool.hooks.isHealthy(slot.resource());
        } catch (Exception e) {
            // counts as unhealthy
        } finally {
            settle(slot, healthy);
        }
    }

    private void settle(Slot<R> slot, boolean healthy) {
        try {
            if (healthy) pool.giveBack(slot);
            else pool.destroyAndFree(slot, "unhealthy");
        } catch (Exception e) {
            pool.loop.report(pool.info() + ": the destructor failed: " + Causes.text(e));
        }
    }

    private void topUp() {
        try {
            while (pool.lacksIdle()) pool.addIdle();
            failing = false;
        } catch (Exception e) {
            if (!failing) pool.loop.report(pool.info() + ": the factory failed in a health check: " + Causes.text(e));
            failing = true;
        }
    }
}
