package org.trueasync.internal.await;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.spi.Event;

/**
 * The event that enough of several things have ended: the one engine of all waits for many. It fires once, when as many have succeeded as were
 * asked for, or all have ended, or, where that is wanted, one has failed. From then on nothing is recorded any more, so what the waiter
 * gets is what had come when it was woken.
 *
 * <p>Members are subscribed to while somebody waits for the event, and are left when it fires or the waiter gives up. The wait is thus one
 * subscription of the waiter, however many members there are; each costs a node in its own event's list.
 */
final class Gathering extends Event implements WaitForNode {
    private final String call;
    /** So many values are enough. */
    private final int enough;

    private final boolean failFast;
    private final List<Member> members = new ArrayList<>();
    private @Nullable Member firstEnded;
    private @Nullable Member lastEnded;
    private int pending;
    private int successes;
    private int failures;
    /** No more members come. */
    private boolean complete;
    /** Where they come from, if they come one by one. */
    private @Nullable Puller puller;
    /** What the wait fails with. */
    private @Nullable Throwable failure;

    /**
     * One without members.
     *
     * @param call who waits, for reports
     * @param enough so many values end it; 0 at once
     * @param failFast the first error ends it, and is what the waiter gets
     */
    Gathering(String call, int enough, boolean failFast) {
        this.call = call;
        this.enough = enough;
        this.failFast = failFast;
        if (enough == 0) close();
    }

    // ---- members

    /** Adds one, which is awaited with the others; at once if somebody waits already. */
    void add(@Nullable Object key, Event target) {
        if (isClosed()) return;
        var member = new Member(this, key, target);
        members.add(member);
        pending++;
        if (isActive()) member.watch();
    }

    /** Members come one by one. */
    void pulledBy(Puller source) {
        puller = source;
    }

    /** No more members come. */
    void complete() {
        complete = true;
        if (pending == 0) finish();
    }

    /** The source of the members has failed. */
    void abort(Throwable error) {
        if (isClosed()) return;
        failure = error;
        finish();
    }

    /** Counts those that have ended already, in the order of the input, until that is enough. */
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

    private void finish() {
        if (isClosed()) return;
        try {
            close();
            if (successes + failures < members.size())
                for (Member member : members) if (!member.hasEnded()) member.lost();
        } finally {
            notifyCallbacks(null, failure);
        }
    }

    /**
     * The waiter goes on, with the outcomes or without.
     *
     * @param thrown what the wait has thrown, or null
     */
    void waiterLeaves(@Nullable Throwable thrown) {
        if (failures == 0) return;
        for (Member member : members) {
            if (thrown == null || (failFast && member.error == thrown)) member.delivered();
            else member.notDelivered();
        }
    }

    // ---- outcome

    /** Throws what the wait has failed with. */
    void requireSuccess() {
        if (failure != null) throw Throwing.sneaky(failure);
    }

    /** All members, in the order of the input; not all need have ended. */
    List<Member> members() {
        return members;
    }

    /** The first one that has ended; the others follow, in the order of ending. */
    @Nullable
    Member firstEnded() {
        return firstEnded;
    }

    /** The one that has ended last. */
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

    /** One that can't be left must not keep the others. */
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
    public String info() {
        var text = new StringBuilder(call)
                .append(", ")
                .append(pending)
                .append(" of ")
                .append(members.size())
                .append(complete ? " pending" : " pending, more to come");
        int named = 0;
        for (Member member : members) {
            if (member.hasEnded()) continue;
            if (++named > 3) return text.append("; ...").toString();
            text.append("; ").append(member.info());
        }
        return text.toString();
    }
}
