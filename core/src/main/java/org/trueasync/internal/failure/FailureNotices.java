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
 * Failures that nobody awaited when they happened. They are told less than a second later, unless somebody has asked by then: an ordinary {@code spawn}, other work, {@code await}
 * makes no noise. What becomes of the errors is decided elsewhere. The timer is there only while there is something to tell, and keeps no run alive.
 */
public final class FailureNotices {
    /** Something to tell. */
    public interface Notice {
        /** False once somebody has asked, or has been told otherwise. */
        boolean isDue();

        /** What to say. In a service coroutine: the error's own methods are the program's code. */
        String text();
    }

    private record Asked(BooleanSupplier due, Supplier<String> words) implements Notice {
        @Override
        public boolean isDue() {
            return due.getAsBoolean();
        }

        @Override
        public String text() {
            return words.get();
        }
    }

    private record Entry(long when, Notice notice) {}

    private static final long PATIENCE_NANOS = 900_000_000;
    private static final int MOST_AT_ONCE = 100;

    private final Reactor reactor;
    private final TimerHeap timers;
    private final Consumer<Runnable> service;
    private final Consumer<String> sink;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private @Nullable TimerEvent timer;

    private final EventCallback whenDue = new EventCallback() {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            event.removeCallback(this);
            timer = null;
            if (error == null) tell(reactor.nanoTime());
        }
    };

    /**
     * Of a loop.
     *
     * @param reactor has the clock
     * @param timers the loop's
     * @param service runs an action where it may meet a lock
     * @param sink where they go; called in the service
     */
    public FailureNotices(Reactor reactor, TimerHeap timers, Consumer<Runnable> service, Consumer<String> sink) {
        this.reactor = reactor;
        this.timers = timers;
        this.service = service;
        this.sink = sink;
    }

    /** To be told soon. */
    public void add(Notice notice) {
        entries.add(new Entry(reactor.nanoTime() + PATIENCE_NANOS, notice));
        if (timer == null) startTimer(PATIENCE_NANOS);
    }

    /** As {@link #add(Notice)}. */
    public void add(BooleanSupplier due, Supplier<String> text) {
        add(new Asked(due, text));
    }

    /** How many timers it has armed: 0 or 1. Any thread. */
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

    /** At the end of the run: all of them; false if there is nothing to tell. */
    public boolean tellAll() {
        if (timer != null) {
            timer.removeCallback(whenDue);
            timer.dispose();
            timer = null;
        }
        return tell(Long.MAX_VALUE);
    }

    private boolean tell(long now) {
        var due = new ArrayList<Notice>();
        Entry first;
        while ((first = entries.peek()) != null && (now == Long.MAX_VALUE || first.when - now <= 0)) {
            entries.remove();
            if (first.notice.isDue()) due.add(first.notice);
        }
        if (first != null) startTimer(Math.max(1, first.when - now));
        if (due.isEmpty()) return false;
        service.accept(() -> tell(due));
        return true;
    }

    private void tell(List<Notice> due) {
        int told = 0;
        for (Notice notice : due) {
            if (!notice.isDue()) continue;
            if (told++ < MOST_AT_ONCE) sink.accept(notice.text());
        }
        if (told > MOST_AT_ONCE) sink.accept("... and " + (told - MOST_AT_ONCE) + " more failures that nobody awaits");
    }
}
