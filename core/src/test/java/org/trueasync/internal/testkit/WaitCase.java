package org.trueasync.internal.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.Completable;

/** A wait of a public operation, made anew for each check by the coroutine that will end it. */
public final class WaitCase {
    /** An operation that waits. */
    @FunctionalInterface
    public interface Call {
        /** @param token ends the wait; ignored by an operation that takes none */
        void with(Completable<?> token) throws Throwable;
    }

    /** Makes a wait, in a coroutine. */
    @FunctionalInterface
    public interface SetUp {
        void make(WaitCase into) throws Throwable;
    }

    Call call = token -> {};
    boolean takesToken;
    Body serving = () -> {};
    Body leftovers = () -> {};
    boolean lastsToTheEnd;
    boolean keepsNothing;
    boolean bringsWaiters;
    boolean elapses;
    boolean needsThreads;
    boolean arrivesInQueue;
    boolean comesFromOutside;
    boolean endsInADrain;
    boolean needsServer;

    @Nullable
    Class<? extends Throwable> thrownIfInterrupted;

    private final List<Body> closing = new ArrayList<>();

    /**
     * The operation, which gives back at the end what it has got.
     *
     * @param waiting an operation without a token
     */
    public WaitCase call(Body waiting) {
        call = token -> waiting.run();
        return this;
    }

    /** The operation, which gives back at the end what it has got. */
    public WaitCase call(Call waiting, boolean endsByToken) {
        call = waiting;
        takesToken = endsByToken;
        return this;
    }

    /**
     * What ends the wait as it is meant to end. What it brings stays until somebody takes it. Called again after it has
     * been taken.
     */
    public WaitCase serve(Body brings) {
        serving = brings;
        return this;
    }

    /** Asserts that nothing is left when nobody waits and what was brought has been taken. */
    public WaitCase leaves(Body assertions) {
        leftovers = assertions;
        return this;
    }

    /** A cancellation does not end the wait: it is thrown at the next one. */
    public WaitCase lastsToTheEnd() {
        lastsToTheEnd = true;
        return this;
    }

    /** What is brought is only for those who wait: after another end it has to be brought again. */
    public WaitCase keepsNothing() {
        keepsNothing = true;
        return this;
    }

    /** What is brought are others who wait, until somebody joins them. */
    public WaitCase bringsWaiters() {
        bringsWaiters = true;
        return keepsNothing();
    }

    /** It is a time that passes, longer than 100 ms. */
    public WaitCase elapses() {
        elapses = true;
        return this;
    }

    /** It needs threads of their own: they are not in the clock's time, and the end of the run may come from them. */
    public WaitCase needsThreads() {
        needsThreads = true;
        return this;
    }

    /** What is brought comes through the reactor: the waiter is woken in a later turn. */
    public WaitCase comesFromOutside() {
        comesFromOutside = true;
        return this;
    }

    /** The drain of the run brings what it waits for. */
    public WaitCase endsInADrain() {
        endsInADrain = true;
        return this;
    }

    /** It needs a server of its own, which nobody can reach in a drain. */
    public WaitCase needsServer() {
        needsServer = true;
        return this;
    }

    /** An interrupt, which is no cancellation, ends a wait of other code, that throws this. */
    public WaitCase ifInterruptedThrows(Class<? extends Throwable> type) {
        thrownIfInterrupted = type;
        return this;
    }

    /** It waits in the run queue. */
    public WaitCase arrivesInQueue() {
        arrivesInQueue = true;
        return this;
    }

    /** Closes what a run does not end itself. */
    public WaitCase closes(Body close) {
        closing.addFirst(close);
        return this;
    }

    void close() throws Throwable {
        for (Body close : closing) close.run();
    }
}
