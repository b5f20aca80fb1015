package org.trueasync.internal.sync;

import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * A number of permits and the line of those who wait for some. Whoever is first in line is served first, also where somebody behind would need fewer. What a
 * coroutine is woken with is its own from that moment: nobody slips in before it runs, and if it leaves instead, the next one gets it.
 */
public final class Permits {
    private final Loop loop;
    private final Supplier<String> info;
    private final Supplier<@Nullable Coroutine<?>> holder;
    private final int total;
    private int free;
    private final WaitQueue<Request> queue = new WaitQueue<>();

    /**
     * All free.
     *
     * @param what they are for, in the messages of calls from other threads
     * @param total how many
     * @param info one line about them and who holds them
     */
    public Permits(String what, int total, Supplier<String> info) {
        this(what, total, info, () -> null);
    }

    /**
     * All free; what is taken only who took it gives back.
     *
     * @param what they are for, in the messages of calls from other threads
     * @param total how many
     * @param info one line about them and who holds them
     * @param holder who that is; null if nobody is known
     */
    public Permits(String what, int total, Supplier<String> info, Supplier<@Nullable Coroutine<?>> holder) {
        this.loop = Runtimes.here("new " + what);
        this.total = total;
        this.free = total;
        this.info = info;
        this.holder = holder;
    }

    /** How many nobody holds. */
    public int free() {
        return free;
    }

    /** How many coroutines wait. */
    public int waiting() {
        return queue.size();
    }

    /** Fails unless on the loop thread. */
    public void requireHere(String call) {
        loop.requireLoopThread(call);
    }

    /**
     * Takes some, if they are free and nobody waits.
     *
     * @param count how many
     */
    public boolean tryTake(int count) {
        if (!queue.isEmpty() || free < count) return false;
        free -= count;
        return true;
    }

    /**
     * Takes some, after whoever came earlier.
     *
     * @param count how many
     * @param token gives the wait up, or null
     * @param call for messages
     */
    public void take(int count, @Nullable Completable<?> token, String call) {
        loop.requireLoopThread(call);
        Awaiting.admit(token);
        boolean othersTurn = loop.isOthersTurn();
        if (!tryTake(count)) new Request(count).await(Runtimes.currentCoroutine(call), token);
        else if (othersTurn) loop.giveWay();
    }

    /**
     * Gives some back; whoever is first in line gets what it needs.
     *
     * @param count how many; taken before
     */
    public void give(int count) {
        if (count > total - free)
            throw new AsyncException(
                    "more given back than taken: " + count + " of " + (total - free) + " held; " + info.get());
        free += count;
        serve();
    }

    private void serve() {
        for (Request request = queue.first(); request != null && request.count <= free; request = queue.first()) {
            free -= request.count;
            request.serve();
        }
    }

    private final class Request extends Waiter implements WaitForNode {
        final int count;

        Request(int count) {
            super(queue);
            this.count = count;
        }

        @Override
        protected void handOn() {
            give(count);
        }

        /** Whoever leaves may have kept those behind waiting for fewer. */
        @Override
        protected void left() {
            Permits.this.serve();
        }

        @Override
        public boolean addProducers(Collection<Coroutine<?>> by) {
            Coroutine<?> known = holder.get();
            return isWaiting() && known != null && by.add(known);
        }

        @Override
        public String info() {
            return info.get();
        }
    }
}
