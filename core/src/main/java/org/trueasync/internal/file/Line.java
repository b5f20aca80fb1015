package org.trueasync.internal.file;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.kernel.Scheduler;

/**
 * The requests on a file, one at a time, in the order of the calls. Whose turn it is may leave while its call on a helper thread still goes on; the
 * next one's turn comes when that has ended.
 */
final class Line {
    private final Scheduler scheduler;
    private final String name;
    private final ArrayDeque<Place> waiting = new ArrayDeque<>(2);
    /** It is somebody's turn. */
    private boolean busy;

    private @Nullable FileCall<?> call;
    /** The one whose turn it was has left, its call goes on. */
    private boolean left;

    Line(Scheduler scheduler, String name) {
        this.scheduler = scheduler;
        this.name = name;
    }

    /**
     * Waits until it is the caller's turn; then {@link #leave} must follow. The place is taken before the loop is shared, so that the order is that of
     * the calls.
     */
    void enter(@Nullable Completable<?> token) {
        Place place = busy ? new Place(scheduler, name) : null;
        busy = true;
        boolean mine = false;
        try {
            if (place == null) scheduler.shareLoop();
            else place.await(token);
            mine = true;
        } finally {
            if (!mine && (place == null || place.isGiven())) leave();
        }
    }

    /** True while it is somebody's turn, or a call goes on. */
    boolean isBusy() {
        return busy;
    }

    /** The turn is over, or over as soon as the call that goes on has ended. */
    void leave() {
        if (call != null) left = true;
        else next();
    }

    private void next() {
        left = false;
        busy = false;
        Place next = waiting.poll();
        if (next == null) return;
        busy = true; // its turn is reserved: nobody slips in before it runs
        next.give();
    }

    /** The one whose turn it is has a call begun. */
    void begun(FileCall<?> begun) {
        call = begun;
    }

    /** That call has ended. */
    void ended() {
        call = null;
        if (left) next();
    }

    /** Everybody who waits, and who has a call under way, gets an error; the call goes on. */
    void fail(Throwable error) {
        Place place;
        while ((place = waiting.poll()) != null) place.complete(error);
        if (call != null) call.fail(error);
    }

    private final class Place extends IoRequest {
        private boolean given;

        Place(Scheduler scheduler, String name) {
            super(scheduler, "turn to use " + name);
        }

        void give() {
            given = true;
            complete(null);
        }

        boolean isGiven() {
            return given;
        }

        @Override
        protected void armSource() {
            waiting.add(this);
        }

        @Override
        protected void disarmSource() {
            waiting.remove(this);
        }
    }
}
