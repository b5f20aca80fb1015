package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.foreign.LoopSockets;
import org.trueasync.internal.jdk.Descriptors;
import org.trueasync.internal.recorder.Account;
import org.trueasync.internal.recorder.TurnRing;
import org.trueasync.internal.recorder.WaitClass;
import org.trueasync.internal.time.ReactorClock;
import org.trueasync.spi.Event;

/**
 * Tells the loop's {@link TurnRing} and a coroutine's {@link Account}, where there are any, what happens to coroutines.
 * On the way of each switch: without them, it costs the read of a field.
 */
final class Turns {
    private Turns() {}

    /** Only where the place is known: to find it takes so long that the entry does not count. */
    static void spawned(CoroutineImpl<?> coroutine, TurnRing ring) {
        String site = coroutine.spawnLocation();
        ring.put(TurnRing.SPAWN, 0, coroutine.id());
        String name = coroutine.name();
        if (name != null) ring.text(site.equals(CodeSites.UNKNOWN) ? name : name + " " + site);
        else if (!site.equals(CodeSites.UNKNOWN)) ring.text(site);
    }

    static void endedBadly(CoroutineImpl<?> coroutine, TurnRing ring) {
        ring.put(TurnRing.END, coroutine.isCancelled() ? TurnRing.CANCELLED : TurnRing.FAILED, coroutine.id());
    }

    /** Its turn begins. */
    static void begins(CoroutineImpl<?> coroutine, Loop loop) {
        TurnRing ring = loop.ring;
        if (ring != null) ring.turn(coroutine.id());
        if (coroutine.is(CoroutineFlags.ACCOUNTED)) tell(coroutine, Account::runs);
    }

    /** It is about to leave the thread. */
    static void suspends(CoroutineImpl<?> coroutine) {
        tell(coroutine, account -> {
            Coroutine<?> needs = coroutine.needsForItsWait(coroutine);
            account.suspends(coroutine.isQueued(), needs == null ? null : "coroutine " + FailureText.label(needs));
        });
    }

    /** It has been put into the run queue, out of a wait that has not ended yet. */
    static void woken(CoroutineImpl<?> coroutine, @Nullable Wait wait) {
        Loop loop = coroutine.loop();
        TurnRing ring = loop.ring;
        ExecutionContext context = coroutine.context;
        if (ring != null && ring.isAsleep()) loop.awake(); // the reactor calls back before the loop looks at the clock
        if (ring != null && context != null && context.turnBegan != loop.clock.ticks())
            noteLong(coroutine, wait, ReactorClock.nanosSince(context.turnBegan, loop.clock.lastTurn()), ring);
        if (coroutine.is(CoroutineFlags.ACCOUNTED))
            tell(coroutine, account -> account.woken(kind(wait), () -> text(wait)));
    }

    private static void noteLong(CoroutineImpl<?> coroutine, @Nullable Wait wait, long nanos, TurnRing ring) {
        try {
            ring.woken(kind(wait), coroutine.id(), nanos);
            if (wait != null && ring.takesText(coroutine.loop().clock.ticks())) ring.text(text(wait));
        } catch (Throwable unrecorded) {
            // no stack or memory is left for it; what is recorded must not change what the program does
        }
    }

    private static void tell(CoroutineImpl<?> coroutine, Consumer<Account> news) {
        Account account = coroutine.account();
        try {
            news.accept(account);
        } catch (Throwable unrecorded) {
            coroutine.endAccount(account); // as above; it would not add up any more
        }
    }

    private static Object awaited(Wait wait) {
        return wait instanceof EventWait several ? several.awaited() : wait;
    }

    private static int kind(@Nullable Wait wait) {
        return wait == null ? 0 : WaitClass.of(awaited(wait).getClass());
    }

    /** Empty if it might be code of the program, which may meet a lock: the loop's frame wakes coroutines too. */
    private static String text(@Nullable Wait wait) {
        if (wait == null || !WaitClass.of(kind(wait)).isPlain()) return "";
        if (awaited(wait) instanceof Event event) return event.info();
        var lines = new ArrayList<String>();
        wait.describe(lines);
        return lines.isEmpty() ? "" : lines.getFirst();
    }

    /** JDK code has parked it. */
    static void parked(CoroutineImpl<?> coroutine, ExecutionContext context) {
        TurnRing ring = context.loop.ring;
        if (ring != null) {
            ring.put(TurnRing.PARKED, blocker(context), coroutine.id());
            ring.time(TurnRing.TIME, context.loop.reactor.nanoTime()); // a park costs a hundred times as much
        }
        if (coroutine.is(CoroutineFlags.ACCOUNTED))
            tell(coroutine, account -> account.parked(JdkWait.holderOf(context)));
    }

    private static int blocker(ExecutionContext context) {
        if (context.socket >= 0) return WaitClass.of(LoopSockets.class);
        Object blocker = LockSupport.getBlocker(context.thread);
        return blocker == null ? 0 : WaitClass.of(blocker.getClass());
    }

    /** JDK code lets it go on. Its stack can't be looked at now: that would make the JDK call this again. */
    static void unparked(CoroutineImpl<?> coroutine, ExecutionContext context) {
        TurnRing ring = context.loop.ring;
        if (ring != null) ring.put(TurnRing.WOKEN, blocker(context), coroutine.id());
        if (coroutine.is(CoroutineFlags.ACCOUNTED))
            tell(
                    coroutine,
                    account -> account.woken(
                            blocker(context), () -> context.socket < 0 ? "" : Descriptors.describe(context.socket)));
    }
}
