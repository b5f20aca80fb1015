package org.trueasync.internal.channel;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.ChannelException;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SourceEvent;

/**
 * One subscription to a channel: a coroutine that receives for its subscriber. It receives only what has been
 * requested, and delivers all that it has received. So a subscriber that cancels loses no value that others could get.
 * The subscriber's code runs in this coroutine and may wait.
 */
final class Pump<T> implements Flow.Subscription {
    private final ChannelCore channel;
    private final Loop loop;
    private final Flow.Subscriber<? super T> subscriber;
    private final RequestEvent requestEvent;
    private long demand;
    private volatile boolean cancelled;
    private @Nullable IllegalArgumentException refused;
    private @Nullable CoroutineImpl<?> coroutine;
    /** True during this class's own waits, not in the subscriber's code. */
    private boolean waiting;
    /** True during the wait for a value, which a new request does not end. */
    private boolean receiving;

    Pump(ChannelCore channel, Flow.Subscriber<? super T> subscriber) {
        this.channel = channel;
        this.loop = channel.loop;
        this.subscriber = subscriber;
        this.requestEvent = new RequestEvent(loop.activeEvents());
    }

    void begin() {
        coroutine = loop.mainScope().spawn(CoroutineKind.ORDINARY, null, Tasks.task((Body) this::run));
    }

    // ---- from any thread

    @Override
    public void request(long n) {
        if (n <= 0)
            loop.bring(() -> {
                refused = new IllegalArgumentException("non-positive subscription request: must be > 0, got " + n);
                if (receiving && coroutine != null) coroutine.cancel();
                else requestEvent.fire();
            });
        else
            loop.bring(() -> {
                demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
                requestEvent.fire();
            });
    }

    @Override
    public void cancel() {
        cancelled = true;
        loop.bring(() -> {
            if (waiting && coroutine != null) coroutine.cancel();
        });
    }

    // ---- the coroutine

    private void run() {
        subscriber.onSubscribe(this);
        try {
            while (deliversOne()) {}
        } catch (AsyncCancellation e) {
            IllegalArgumentException misuse = refused;
            if (!cancelled) subscriber.onError(misuse != null ? misuse : e);
            throw e;
        }
    }

    @SuppressWarnings("unchecked")
    private boolean deliversOne() {
        Object value;
        waiting = true;
        try {
            awaitDemand();
            if (cancelled) return false;
            if (refused != null) {
                waiting = false;
                subscriber.onError(refused);
                return false;
            }
            receiving = true;
            value = channel.next();
        } catch (ChannelException e) {
            waiting = false;
            receiving = false;
            if (!cancelled) subscriber.onError(e);
            return false;
        } finally {
            waiting = false;
            receiving = false;
        }
        if (value == ChannelCore.END) {
            subscriber.onComplete();
            return false;
        }
        if (value == null) {
            subscriber.onError(
                    new NullPointerException("a publisher can't publish the null that came from " + channel.info()));
            return false;
        }
        demand--;
        subscriber.onNext((T) value);
        return true;
    }

    /** Waits for a request, or for the channel's end, which is delivered without a request. */
    private void awaitDemand() {
        while (demand == 0 && !cancelled && refused == null && !channel.isDrained()) {
            CoroutineImpl<?> self = Objects.requireNonNull(coroutine);
            self.newWait();
            self.resumeWhen(requestEvent, ResumeCallback.RESOLVE);
            self.resumeWhen(channel.end(), ResumeCallback.RESOLVE);
            self.awaitEvents();
        }
    }

    /** The event of a request. It counts as active, as a request may come from any thread. */
    private static final class RequestEvent extends SourceEvent {
        RequestEvent(ActiveEvents activeEvents) {
            super(activeEvents);
        }

        void fire() {
            notifyCallbacks(null, null);
        }

        @Override
        protected void armSource() {}

        @Override
        protected void disarmSource() {}

        @Override
        public String info() {
            return "a subscriber's request";
        }
    }
}
