package org.trueasync.internal.sync;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.event.Holder;
import org.trueasync.internal.event.Lent;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * A number of permits and the queue of those that wait for some. The first in the queue is served first, even if a
 * later one needs fewer. A woken coroutine owns its permits at once: no other caller can take them before it runs. If
 * it leaves instead, the permits are given back, and the queue is served.
 */
public final class Permits {
    private static final int MAX_HOLDERS = 100;

    private final Loop loop;
    private final Supplier<String> info;
    private final int total;
    private int free;
    /** Those who hold permits and give them back themselves. */
    private final List<Holder> holders = new ArrayList<>(1);

    private final WaitQueue<Request> queue = new WaitQueue<>();
    private int maxWaiting = Integer.MAX_VALUE;
    private long refused;

    /**
     * Creates permits.
     *
     * @param what the public class, for the message of calls from other threads
     * @param total the number of permits
     * @param free how many of them are free at first
     * @param info supplies one line about them and their holder
     */
    public Permits(String what, int total, int free, Supplier<String> info) {
        this.loop = Runtimes.here("new " + what);
        this.total = total;
        this.free = free;
        this.info = info;
    }

    public int free() {
        return free;
    }

    public int waiting() {
        return queue.size();
    }

    /** How many may wait; a caller beyond that is refused. */
    public int maxWaiting() {
        return maxWaiting;
    }

    public void maxWaiting(int most) {
        maxWaiting = most;
    }

    /** How many callers were refused so far, as too many waited. */
    public long refused() {
        return refused;
    }

    /** Fails unless on the loop thread. */
    public void requireHere(String call) {
        loop.requireLoopThread(call);
    }

    /** The coroutine that runs; fails unless it is one of the permits' loop. After this, {@link #held} can't fail. */
    public Coroutine<?> requireCurrent(String call) {
        loop.requireLoopThread(call);
        loop.requireHolder(call);
        return loop.requireCurrent(call);
    }

    /**
     * Takes permits, if enough are free and nobody waits. True if it took them.
     *
     * @param count the number of permits
     */
    public boolean tryTake(int count) {
        if (!queue.isEmpty() || free < count) return false;
        free -= count;
        return true;
    }

    /**
     * Takes permits; waits behind earlier callers.
     *
     * @param count the number of permits
     * @param token gives the wait up, or null
     * @param call the waiting call, for messages
     * @return false if it has taken none, as too many callers wait already
     */
    public boolean take(int count, @Nullable Completable<?> token, String call) {
        loop.requireLoopThread(call);
        Awaiting.admit(token);
        boolean othersTurn = loop.isOthersTurn();
        if (tryTake(count)) {
            if (othersTurn) loop.giveWay();
            return true;
        }
        CoroutineImpl<?> self = loop.requireCurrent(call);
        if (queue.size() >= maxWaiting) {
            refused++;
            return false;
        }
        var request = new Request(count);
        if (token == null) request.awaitDirectly(self);
        else request.await(self, token);
        return true;
    }

    /**
     * Gives permits back and serves the queue; fails if fewer were taken.
     *
     * @param count the number of permits
     */
    public void give(int count) {
        if (count > total - free)
            throw new AsyncException(
                    "more given back than taken: " + count + " of " + (total - free) + " held; " + info.get());
        free += count;
        serve();
    }

    /**
     * Notes that the coroutine that runs has taken a permit which it will give back itself. Of many permits the holders
     * are not known.
     */
    public void held() {
        if (total <= MAX_HOLDERS) holders.add(loop.requireHolder("a permit"));
    }

    /** Notes that the coroutine that runs gives back what it has {@link #held}. */
    public void heldNoMore() {
        if (total <= MAX_HOLDERS) holders.remove(loop.requireHolder("a permit"));
    }

    /** The holder of the only permit; null if it is not known. */
    public @Nullable Coroutine<?> holder() {
        return total == 1 && !holders.isEmpty() ? holders.getFirst().coroutine : null;
    }

    private void serve() {
        for (Request request = queue.first(); request != null && request.count <= free; request = queue.first()) {
            free -= request.count;
            request.serve();
        }
    }

    private final class Request extends Waiter implements Lent {
        final int count;

        Request(int count) {
            super(queue);
            this.count = count;
        }

        @Override
        protected void handOn() {
            give(count);
        }

        /** Serves the queue again: the request that has left may have blocked smaller ones behind it. */
        @Override
        protected void left() {
            Permits.this.serve();
        }

        @Override
        public boolean addProducers(Collection<Coroutine<?>> by) {
            if (!isWaiting() || free > 0 || holders.size() != total) return false;
            for (Holder holder : holders) if (holder.coroutine == null || !by.add(holder.coroutine)) return false;
            return true;
        }

        @Override
        public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
            return isWaiting() ? holder() : null;
        }

        @Override
        public String info() {
            return info.get();
        }
    }
}
