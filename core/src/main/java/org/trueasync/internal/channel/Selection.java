package org.trueasync.internal.channel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.ResumeCallback;

/**
 * A choice between operations. The first one that need not wait, in the order of declaration, takes effect. If all must
 * wait, the coroutine is in the queues of all channels at once. The first channel that serves it ends the whole wait,
 * and takes it out of all other queues in the same step, so no second one can serve it. If the coroutine was served and
 * then cancelled, the end of the wait passes a received value on, and withdraws a sent one that no receiver has.
 */
public final class Selection {
    /** The user's code that runs after an operation. */
    @FunctionalInterface
    public interface Action {
        /**
         * Runs the code.
         *
         * @param value the result of the operation
         */
        @Nullable
        Object apply(@Nullable Object value) throws Throwable;
    }

    private final List<Arm> arms = new ArrayList<>(4);
    private @Nullable Action otherwise;
    /** The action of the first time limit of 0, which is over before a wait could begin. */
    private @Nullable Action expired;

    private boolean choosing;

    public Selection() {}

    /**
     * Adds a receive.
     *
     * @param whenClosed gets the error of a closed channel, which is thrown otherwise
     */
    public void receive(ChannelCore channel, Action action, @Nullable Action whenClosed) {
        add(new ReceiveArm(channel, action, whenClosed));
    }

    public void send(ChannelCore channel, @Nullable Object value, Action action) {
        add(new SendArm(channel, value, action));
    }

    public void await(Completable<?> awaited, Action action) {
        if (awaited instanceof CoroutineImpl<?> coroutine) coroutine.markNotNeeded();
        add(new EventArm(() -> Awaiting.event(awaited), action));
    }

    /**
     * Adds a time limit; with 0 the select does not wait. The first limit of 0 counts.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    public void after(Duration time, Action action) {
        Duration limit = TimeLimits.notNegative(time, "time");
        requireIdle();
        if (!limit.isZero())
            add(new EventArm(() -> Runtimes.here("Select.onTimeout").timers().oneShot(limit), action));
        else if (expired == null) expired = action;
    }

    /** Sets the action that runs if every operation would have to wait. */
    public void otherwise(Action action) {
        requireIdle();
        if (otherwise != null) throw new IllegalStateException("this Select has an otherwise already; one is all");
        otherwise = action;
    }

    private void add(Arm arm) {
        requireIdle();
        arms.add(arm);
    }

    private void requireIdle() {
        if (choosing) throw new AsyncException("this Select is in use; make one for each coroutine");
    }

    /**
     * Chooses an operation, and runs its action.
     *
     * @param token gives the wait up, or null
     */
    public @Nullable Object select(@Nullable Completable<?> token) {
        Loop loop = Runtimes.here("Select.select");
        Awaiting.admit(token);
        requireIdle();
        Action fallback = otherwise != null ? otherwise : expired;
        if (arms.isEmpty() && fallback == null)
            throw new IllegalStateException(
                    "this Select has nothing to choose from; add receive, send, await or onTimeout");
        boolean othersTurn = loop.isOthersTurn();
        choosing = true;
        Arm chosen;
        try {
            chosen = ready();
            if (chosen == null && fallback == null) chosen = wait(loop, token);
            else if (othersTurn) loop.giveWay();
        } finally {
            choosing = false;
        }
        try {
            if (chosen != null) return chosen.runAction();
            return fallback == null ? null : fallback.apply(null);
        } catch (Throwable e) {
            throw Throwing.sneaky(Throwing.forAwaiter(e));
        }
    }

    private @Nullable Arm ready() {
        for (Arm arm : arms) if (arm.takesEffect()) return arm;
        return null;
    }

    private Arm wait(Loop loop, @Nullable Completable<?> token) {
        CoroutineImpl<?> self = loop.requireCurrent("Select.select");
        Throwable thrown = null;
        try {
            self.newWait();
            // Channels first: code that runs while another event is armed then finds this coroutine in the channels'
            // queues.
            for (Arm arm : arms) if (arm.isAtChannel()) arm.subscribe(self);
            for (Arm arm : arms) if (!arm.isAtChannel()) arm.subscribe(self);
            if (token != null) self.resumeWhen(Awaiting.event(token), ResumeCallback.CANCEL);
            self.awaitEvents();
        } catch (Throwable e) {
            thrown = e;
        }
        Arm chosen = null;
        for (Arm arm : arms) if (arm.isChosen(self, thrown)) chosen = arm;
        if (chosen != null) return chosen;
        for (Arm arm : arms) arm.abandoned();
        throw Throwing.sneaky(
                thrown != null ? thrown : new IllegalStateException("Bug in TrueAsync: a select woke for nothing"));
    }
}
