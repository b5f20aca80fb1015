package org.trueasync.internal.cores;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.SpawnTrace;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopLocal;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.run.Machine;
import org.trueasync.internal.threads.ChildRuntime;

/**
 * The same body on several cores: core 0 is the runtime of the caller, the others are runtimes on threads of their own.
 * They begin together, when all are there; they end together, when all are done. An unhandled error on one of them, a
 * shutdown of one of them, or a cancellation of the caller ends all.
 */
public final class CoresRun<T> {
    static final LoopLocal<CoreMember> HERE = new LoopLocal<>();

    private final Callable<T> body;
    /** Where the program called {@code Cores.Builder.run}. */
    private final String site;

    private final Loop home;
    private final int count;
    private final boolean pinned;
    /** Each set by its own loop before the body begins anywhere. */
    private final @Nullable CoreMember[] members;

    private final @Nullable Object[] results;
    private final Quiescence quiescence;
    private final AtomicInteger notStarted;
    /** How many threads have not ended, and one more until core 0 has ended. */
    private final AtomicInteger threads = new AtomicInteger(1);

    private final FutureCore<Object> threadsEnded;
    /** By the index of their cores. */
    private final AtomicReferenceArray<@Nullable ChildRuntime> children;

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    /** Why all end, once they are told to. */
    private final AtomicReference<@Nullable AsyncCancellation> ending = new AtomicReference<>();
    /** Why all end, also while cores have deadlocks to report first. */
    private final AtomicReference<@Nullable AsyncCancellation> reasonHeldBack = new AtomicReference<>();

    private final AtomicInteger deadlocksNotNoted = new AtomicInteger();
    private final AtomicInteger unreportedDeadlocks = new AtomicInteger();
    private final Map<CoreMember.AgreementKey, CompletableFuture<?>> agreements = new ConcurrentHashMap<>();
    private volatile boolean finished;

    private CoresRun(Loop home, int count, boolean pinned, Callable<T> body) {
        this.home = home;
        this.count = count;
        this.pinned = pinned;
        this.body = Inheritance.withContext(body);
        site = home.settings().spawnSite();
        members = new CoreMember[count];
        results = new Object[count];
        children = new AtomicReferenceArray<>(count);
        quiescence = new Quiescence(count);
        notStarted = new AtomicInteger(count);
        threadsEnded = CoreMember.signal(home);
    }

    /**
     * Runs the body on each core; returns when all have ended.
     *
     * @param count how many cores, >= 1
     * @param pinned whether each keeps to one processor
     * @return what the bodies have returned, in the order of the cores
     */
    public static <T> List<T> run(int count, boolean pinned, Callable<T> body) {
        Objects.requireNonNull(body, "body");
        Loop here = Runtimes.here("Cores.Builder.run");
        Runtimes.currentCoroutine("Cores.Builder.run");
        CoreMember current = HERE.get(here);
        if (current != null)
            throw new AsyncException("Cores.Builder.run: this runtime is core " + current.index + " of "
                    + current.run().count + " already; one program on all cores is enough, Cores.current() is at hand");
        if (pinned) requirePins(here);
        return new CoresRun<>(here, count, pinned, body).run();
    }

    private static void requirePins(Loop loop) {
        Machine.parallelism(); // if first asked on a pinned thread, this would be 1
        try {
            loop.reactor().pin(0).close();
        } catch (UnsupportedOperationException e) {
            throw new AsyncException(
                    "pinned: " + e.getMessage() + "; take the reactor libuv on Linux, or leave out pinned()", e);
        }
    }

    /**
     * The core here.
     *
     * @param call what needs it, for the message
     * @throws AsyncException if the runtime here is no core
     */
    public static CoreMember here(String call) {
        CoreMember member = HERE.get(Runtimes.here(call));
        if (member == null)
            throw new AsyncException(
                    call + " outside of Cores.Builder.run: this runtime is no core of several; call it in the"
                            + " body of Cores.Builder.run");
        return member;
    }

    // ---- from begin to end, in the caller

    private List<T> run() {
        AsyncCancellation cancelled = null;
        try {
            for (int i = 1; i < count; i++) start(i);
            new CoreMember(this, 0, home, quiescence.member(0)).serve();
        } catch (AsyncCancellation e) {
            end(e);
            cancelled = e;
        } catch (Throwable e) {
            failed(0, e);
        } finally {
            threadEnded();
            Awaiting.untilOver(threadsEnded, threadsEnded::isCompleted);
        }
        return outcome(cancelled);
    }

    private void start(int index) {
        String name = home.settings().name() + "-core-" + index;
        var child = ChildRuntime.of(
                home,
                name,
                () -> {
                    Loop loop = Runtimes.here(name);
                    new CoreMember(this, index, loop, quiescence.member(index)).serve();
                },
                thrown -> ended(index, thrown));
        threads.incrementAndGet();
        try {
            child.start();
        } catch (Throwable e) {
            threads.decrementAndGet();
            throw e;
        }
        children.set(index, child);
        AsyncCancellation reason = ending.get();
        if (reason != null) child.shutdown(reason);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // T says whether a result may be null
    private List<T> outcome(@Nullable AsyncCancellation cancelled) {
        Throwable error = null;
        for (Throwable next : errors) error = error == null ? next : Causes.joined(error, next);
        AsyncCancellation reason = ending.get();
        if (cancelled != null && cancelled == reason) {
            if (error != null) Causes.suppress(cancelled, error);
            throw cancelled;
        }
        if (error != null) throw Throwing.sneaky(Throwing.forAwaiter(error));
        if (reason != null) throw reason;
        return (List<T>) Collections.unmodifiableList(Arrays.asList(results));
    }

    // ---- one core

    /** Called when a core has started. On its loop. */
    void memberStarted(CoreMember member) {
        members[member.index] = member;
        if (notStarted.decrementAndGet() == 0) postToAll(CoreMember::begin);
        AsyncCancellation reason = ending.get();
        if (reason != null) member.end(reason);
    }

    /** Runs the body on one core. In a coroutine of its scope. */
    void body(int index) throws Exception {
        try {
            results[index] = body.call();
        } catch (AsyncCancellation e) {
            throw e;
        } catch (Throwable e) {
            new SpawnTrace("'core " + index + "'", site).attachTo(e);
            throw e;
        }
    }

    private void postToAll(Consumer<CoreMember> action) {
        for (CoreMember member : members) if (member != null) member.loop.post(() -> action.accept(member));
    }

    /** Called when all cores are at rest and no message is on its way. Any loop. */
    void allAtRest() {
        if (quiescence.countDone() == count) {
            finished = true;
            postToAll(CoreMember::allAreDone);
        } else {
            // First all of them note it: what one core does to resolve its deadlock must not wake another one that has
            // not reported its own.
            deadlocksNotNoted.set(count);
            for (CoreMember member : members)
                Objects.requireNonNull(member).loop.post(member::noteDeadlock, this::deadlockNoted);
        }
    }

    /** Called when a core has noted whether it has a deadlock, or has ended. Any thread. */
    void deadlockNoted() {
        if (deadlocksNotNoted.decrementAndGet() == 0) postToAll(CoreMember::findDeadlock);
    }

    /** Called when a core has noted a deadlock. Its loop. */
    void deadlockFound() {
        unreportedDeadlocks.incrementAndGet();
    }

    /** Called when a core has reported its deadlock. Its loop. */
    void deadlockReported() {
        if (unreportedDeadlocks.decrementAndGet() > 0) return;
        AsyncCancellation held = reasonHeldBack.get();
        if (held != null) end(held);
    }

    // ---- the end of all

    /** Ends all cores because of an unhandled error on one. A call that came too late is no such error. Any thread. */
    void failed(int index, Throwable error) {
        if (error instanceof CoreHasEnded) {
            end(new AsyncCancellation("core " + index + " has called one that has ended, so all cores end"));
            return;
        }
        errors.add(error);
        end(new AsyncCancellation("core " + index + " has failed, so all cores end"));
    }

    /** Tells all cores to end. Any thread; a second call does nothing. */
    void end(AsyncCancellation reason) {
        // First each core that has a deadlock reports it.
        reasonHeldBack.compareAndSet(null, reason);
        if (unreportedDeadlocks.get() > 0) return;
        if (!ending.compareAndSet(null, reason)) return;
        postToAll(member -> member.end(reason));
        for (int i = 1; i < count; i++) {
            ChildRuntime child = children.get(i);
            CoreMember member = members[i];
            // An error that has ended the scope, or a deadlock that was resolved, has cancelled all coroutines there.
            if (child != null && (member == null || !member.wasCancelled())) child.shutdown(reason);
        }
    }

    boolean isPinned() {
        return pinned;
    }

    boolean isEnding() {
        return ending.get() != null;
    }

    /** Why the coroutines that are left are cancelled. */
    AsyncCancellation reason() {
        AsyncCancellation reason = ending.get();
        return reason != null ? reason : new AsyncCancellation("this core has ended");
    }

    /** Called when the run on a core's thread has ended. On that thread. */
    private void ended(int index, @Nullable Throwable thrown) {
        if (thrown != null && !(thrown instanceof AsyncCancellation)) failed(index, thrown);
        else if (!finished) end(new AsyncCancellation("core " + index + " was shut down, so all cores end"));
        CoreMember member = members[index];
        if (member != null) member.hasEnded();
        threadEnded();
    }

    private void threadEnded() {
        if (threads.decrementAndGet() == 0) home.post(() -> threadsEnded.tryComplete(null));
    }

    // ---- calls

    /**
     * Sends a task to a core. On the loop of a core.
     *
     * @param from the core here
     * @param index of the core that runs the task
     */
    public <R> FutureCore<R> send(CoreMember from, int index, Callable<R> task) {
        var call = new CoreCall<R>(from, member(index), task);
        call.send();
        return call;
    }

    /**
     * The number of the core that owns a key. It is the same in each run with as many cores, if the key's hash code is.
     */
    public int ownerOf(Object key) {
        // Similar keys often have similar hash codes, so the bits are mixed before they are scaled to the count.
        int mixed = key.hashCode() * 0x9E3779B9;
        mixed ^= mixed >>> 16;
        mixed *= 0x85EBCA6B;
        mixed ^= mixed >>> 13;
        return (int) ((Integer.toUnsignedLong(mixed) * count) >>> 32);
    }

    /**
     * The core with this number.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    private CoreMember member(int index) {
        Objects.checkIndex(index, count);
        return Objects.requireNonNull(members[index]);
    }

    @SuppressWarnings("unchecked") // a key has values of one type
    <V> V agreed(CoreMember.AgreementKey key, Callable<V> first) {
        var mine = new CompletableFuture<V>();
        var known = (CompletableFuture<V>) agreements.putIfAbsent(key, mine);
        if (known != null) return Awaiting.stage(known, null);
        try {
            V value = first.call();
            mine.complete(value);
            return value;
        } catch (Throwable e) {
            mine.completeExceptionally(e);
            throw Throwing.sneaky(e);
        }
    }

    Quiescence quiescence() {
        return quiescence;
    }

    /** How many cores there are. */
    public int count() {
        return count;
    }
}
