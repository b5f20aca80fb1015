package org.trueasync.internal.await;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.spi.Event;

/**
 * An event that fires when enough of several things have ended; all waits for several things use it. It fires once:
 * when as many members as were asked for have succeeded, when all have ended, when the source of the members has
 * failed, or, with {@code failFast}, when one member has failed. After that nothing is recorded. So the waiter sees
 * what had happened when it was woken.
 *
 * <p>Members are subscribed to while a coroutine waits for this event. They are unsubscribed from when it fires or the
 * waiter gives up. So the wait is one subscription of the waiter, however many members there are; each member costs a
 * node in its own event's list.
 */
final class Gathering extends Event implements WaitForNode, HeldByWakers {
    /** With more members, waits are not followed through this one: each coroutine that waits for it pays for that. */
    private static final int MAX_FOLLOWED = 100;

    private final String call;
    /** The number of values that ends the wait. */
    private final int enough;

    private final boolean failFast;
    /** True if the outcomes so far are the result when the wait is given up. */
    private final boolean partial;

    private final List<Member> members = new ArrayList<>();
    private @Nullable Member firstEnded;
    private @Nullable Member lastEnded;
    private int pending;
    private int successes;
    private int failures;
    /** True once all members have been added. */
    private boolean complete;
    /** The source of the members, if they come one by one. */
    private @Nullable Puller puller;
    /** The error that the wait fails with. */
    private @Nullable Throwable failure;

    /**
     * Creates an event without members.
     *
     * @param call the waiting call, for reports
     * @param enough the number of values that ends it; 0 ends it at once
     * @param failFast true if the first error ends it and is thrown to the waiter
     * @param partial true if the outcomes so far are the result when the wait is given up
     */
    Gathering(String call, int enough, boolean failFast, boolean partial) {
        this.call = call;
        this.enough = enough;
        this.failFast = failFast;
        this.partial = partial;
        if (enough == 0) close();
    }

    // ---- members

    /** Adds a member. If a coroutine waits already, the member is watched at once. */
    void add(@Nullable Object key, Event target) {
        if (isClosed()) return;
        var member = new Member(this, key, target);
        members.add(member);
        pending++;
        if (isActive()) member.watch();
    }

    /** Sets the source of members that come one by one. */
    void pulledBy(Puller source) {
        puller = source;
    }

    /** Says that all members have been added. */
    void complete() {
        complete = true;
        if (pending == 0) finish();
    }

    /** Ends the wait with the error of the members' source. */
    void abort(Throwable error) {
        if (isClosed()) return;
        failure = error;
        finish();
    }

    boolean isPartial() {
        return partial;
    }

    /** Takes the outcomes of members that have ended already, in the order of the input, until there are enough. */
    void takeOutcomes() {
        for (Member member : members) {
            if (isClosed()) return;
            member.takeOutcome();
        }
    }

    void ended(Member member) {
        if (isClosed()) return;
        pending--;
        if (lastEnded == null) firstEnded = member;
        else lastEnded.nextEnded = member;
        lastEnded = member;
        if (member.error == null) successes++;
        else {
            failures++;
            if (failFast) failure = member.error;
        }
        if (failure != null || successes >= enough || (complete && pending == 0)) finish();
    }

    /** Ends the wait with the outcomes so far. */
    void finish() {
        if (isClosed()) return;
        try {
            close();
            if (successes + failures < members.size())
                for (Member member : members) if (!member.hasEnded()) member.markNotNeeded();
        } finally {
            notifyCallbacks(null, failure);
        }
    }

    /**
     * Settles the members' errors when the waiter goes on: they count as observed if it gets them.
     *
     * @param thrown the error of the wait, or null
     */
    void waiterLeaves(@Nullable Throwable thrown) {
        if (failures == 0) return;
        for (Member member : members) {
            if (thrown == null || (failFast && member.error == thrown)) member.delivered();
            else member.notDelivered();
        }
    }

    // ---- outcome

    void requireSuccess() {
        if (failure != null) throw Throwing.sneaky(failure);
    }

    /** Returns all members, in the order of the input; some may not have ended. */
    List<Member> members() {
        return members;
    }

    /** Returns the member that ended first; {@link Member#nextEnded} leads to the next ones in the order of ending. */
    @Nullable
    Member firstEnded() {
        return firstEnded;
    }

    @Nullable
    Member lastEnded() {
        return lastEnded;
    }

    // ---- as an event

    @Override
    protected void arm() {
        try {
            for (int i = 0; i < members.size() && !isClosed(); i++)
                members.get(i).watch();
        } catch (Throwable e) {
            leaveAll();
            throw e;
        }
    }

    @Override
    protected void disarm() {
        try {
            if (puller != null) puller.waitEnded();
        } finally {
            leaveAll();
        }
    }

    /** Leaves all members, also if leaving one of them throws. */
    private void leaveAll() {
        Throwable thrown = null;
        for (Member member : members) {
            try {
                member.leave();
            } catch (Throwable e) {
                if (thrown == null) thrown = e;
                else Causes.suppress(thrown, e);
            }
        }
        if (thrown != null) throw Throwing.sneaky(thrown);
    }

    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        if (!complete || pending == 0) return false;
        for (Member member : members) if (!member.hasEnded() && !member.addProducers(by)) return false;
        return true;
    }

    @Override
    public boolean areAllHeld() {
        for (Member member : members) if (!member.hasEnded() && !member.isHeldByWakers()) return false;
        return true;
    }

    @Override
    public void isReachableAgain() {
        for (Member member : members) member.isReachableAgain();
    }

    /** A member is needed if it is the last one, or if the wait lasts until all have ended, whatever they end with. */
    @Override
    public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        boolean all = enough == AwaitingSeveral.ALL && !failFast;
        if (!complete || (pending != 1 && !all) || members.size() > MAX_FOLLOWED) return null;
        for (Member member : members) {
            Coroutine<?> needed = member.hasEnded() ? null : member.needs(sought);
            if (needed != null && (needed == sought || pending == 1)) return needed;
        }
        return null;
    }

    @Override
    public String info() {
        var text = new StringBuilder(call)
                .append(", ")
                .append(pending)
                .append(" of ")
                .append(members.size())
                .append(complete ? " pending" : " pending, more to come");
        int shown = 0;
        for (Member member : members) {
            if (member.hasEnded()) continue;
            if (++shown > 3) return text.append("; ...").toString();
            text.append("; ").append(member.info());
        }
        return text.toString();
    }
}
