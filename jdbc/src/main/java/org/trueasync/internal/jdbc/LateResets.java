package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;

/**
 * Sends the resets of sessions that no next use has taken along in time: until then locks of the last user stay, and
 * its temporary tables. Loop thread only.
 */
final class LateResets extends EventCallback {
    private static final System.Logger LOG = System.getLogger("org.trueasync.jdbc");
    private static final Duration DELAY = Duration.ofMillis(1);

    private final OutsideCalls coroutines;

    /** In the order in which they were given back; each at most once. */
    private final ArrayDeque<Physical> waiting = new ArrayDeque<>();

    private @Nullable TimerEvent timer;
    private boolean armed;

    /**
     * Begins without resets.
     *
     * @param coroutines which send them: a callback of the loop must not wait
     */
    LateResets(OutsideCalls coroutines) {
        this.coroutines = coroutines;
    }

    /** Called when a connection was given back whose reset is due. */
    void add(Physical physical) {
        if (physical.awaitsFlush) return;
        physical.awaitsFlush = true;
        waiting.add(physical);
        if (!armed) arm();
    }

    private void arm() {
        TimerEvent known = timer;
        armed = true;
        if (known == null) {
            timer = known = SchedulerProvider.get().timers().oneShot(DELAY).keepOpen();
            known.setHidden(true);
            known.addCallback(this);
        } else {
            known.stop();
            known.rearm(DELAY);
        }
        known.start();
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        armed = false;
        if (error != null) return;
        // those that come meanwhile are younger, and wait for the next time
        for (int i = waiting.size(); i > 0; i--) flushLater(waiting.remove());
    }

    private void flushLater(Physical physical) {
        physical.awaitsFlush = false;
        if (physical.isResetDue()) coroutines.begin(() -> flush(physical));
    }

    private static void flush(Physical physical) {
        try {
            physical.flushReset();
        } catch (SQLException | RuntimeException e) {
            physical.broken = true;
            LOG.log(System.Logger.Level.DEBUG, "sending the reset of a session", e);
        }
    }
}
