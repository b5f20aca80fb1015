package org.trueasync.internal.failure;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.TimerEvent;

/**
 * Notices of failures that nobody awaited when they happened. A notice is written 0.9 seconds after the failure, or at
 * the end of the run, unless somebody has asked for the error by then. So the ordinary case, {@code spawn}, then other
 * work, then {@code await}, writes nothing. The notices do not decide where the errors themselves go.
 *
 * <p>There is a timer only while a notice is waiting, and it keeps no run alive. Loop thread only, unless a method says
 * otherwise.
 */
public final class FailureNotices {
    private record Notice(long when, BooleanSupplier due, Supplier<String> text) {
        boolean isDue() {
            return due.getAsBoolean();
        }
    }

    private static final long REPORT_DELAY_NANOS = 900_000_000;
    private static final int MAX_AT_ONCE = 100;

    private final Reactor reactor;
    private final TimerHeap timers;
    private final Consumer<Runnable> service;
    private final Consumer<String> sink;
    private final ArrayDeque<Notice> notices = new ArrayDeque<>();
    private @Nullable TimerEvent timer;

    private final EventCallback whenDue = new EventCallback() {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            event.removeCallback(this);
            timer = null;
            if (error == null) write(reactor.nanoTime());
        }
    };

    /**
     * Creates the notices of a loop.
     *
     * @param reactor the loop's reactor, for its clock
     * @param timers the loop's timers
     * @param service runs an action in a service coroutine, where it may meet a lock
     * @param sink receives the notices; called in a service coroutine
     */
    public FailureNotices(Reactor reactor, TimerHeap timers, Consumer<Runnable> service, Consumer<String> sink) {
        this.reactor = reactor;
        this.timers = timers;
        this.service = service;
        this.sink = sink;
    }

    /**
     * Adds a notice, to be written after 0.9 seconds.
     *
     * @param due false once somebody has asked for the error, or it has been reported in another way
     * @param text called in a service coroutine, as the error's own methods may be code of the program
     */
    public void add(BooleanSupplier due, Supplier<String> text) {
        notices.add(new Notice(reactor.nanoTime() + REPORT_DELAY_NANOS, due, text));
        if (timer == null) startTimer(REPORT_DELAY_NANOS);
    }

    /** Returns the number of timers it has armed: 0 or 1. Any thread. */
    public int timers() {
        return timer == null ? 0 : 1;
    }

    private void startTimer(long nanos) {
        TimerEvent made = timers.oneShot(Duration.ofNanos(nanos));
        made.setHidden(true);
        made.addCallback(whenDue);
        timer = made;
        made.start();
    }

    /** Has all notices that are due written now, at the end of the run; false if there are none. */
    public boolean writeAll() {
        if (timer != null) {
            timer.removeCallback(whenDue);
            timer.dispose();
            timer = null;
        }
        return write(Long.MAX_VALUE);
    }

    private boolean write(long now) {
        var due = new ArrayList<Notice>();
        Notice first;
        while ((first = notices.peek()) != null && (now == Long.MAX_VALUE || first.when - now <= 0)) {
            notices.remove();
            if (first.isDue()) due.add(first);
        }
        if (first != null) startTimer(Math.max(1, first.when - now));
        if (due.isEmpty()) return false;
        service.accept(() -> write(due));
        return true;
    }

    private void write(List<Notice> due) {
        int written = 0;
        for (Notice notice : due) {
            if (!notice.isDue()) continue;
            if (written++ < MAX_AT_ONCE) sink.accept(notice.text.get());
        }
        if (written > MAX_AT_ONCE)
            sink.accept("... and " + (written - MAX_AT_ONCE) + " more failures that nobody awaits");
    }
}
