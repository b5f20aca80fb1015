package org.trueasync.internal.testkit.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads of a run that wait for monitors: to enter one, or in {@code Object.wait}. The JVM puts those that
 * may go on into a list, from which a thread of its own hands them to their schedulers. Here they are handed on by the
 * loop, in the order in which they began to wait, so that two runs do the same.
 *
 * <p>A thread is marked from when it is put into the list until the JVM's thread takes it out, which adds it to
 * {@link #taken} before: so one that is neither marked nor in there is not in the list.
 */
public final class Monitors {
    /** Resolved with the first use; a JDK that has other names hands them on itself. */
    private static final class Access {
        static final @Nullable VarHandle LISTED;
        static final @Nullable VarHandle STATE;
        static final @Nullable MethodHandle UNBLOCK;
        static final int BLOCKING;
        static final int BLOCKED;
        static final int WAITING;
        static final int TIMED_WAIT;

        static {
            VarHandle listed = null;
            VarHandle state = null;
            MethodHandle unblock = null;
            int[] states = new int[4];
            try {
                Class<?> virtual = Class.forName("java.lang.VirtualThread");
                var inside = MethodHandles.privateLookupIn(virtual, MethodHandles.lookup());
                String[] names = {"BLOCKING", "BLOCKED", "WAITING", "TIMED_WAIT"};
                for (int i = 0; i < names.length; i++)
                    states[i] = (int) inside.findStaticVarHandle(virtual, names[i], int.class)
                            .get();
                state = inside.findVarHandle(virtual, "state", int.class);
                unblock = inside.findVirtual(virtual, "unblock", MethodType.methodType(void.class))
                        .asType(MethodType.methodType(void.class, Thread.class));
                listed = inside.findVarHandle(virtual, "onWaitingList", boolean.class);
            } catch (ReflectiveOperationException | RuntimeException other) {
                listed = null;
            }
            LISTED = listed;
            STATE = state;
            UNBLOCK = unblock;
            BLOCKING = states[0];
            BLOCKED = states[1];
            WAITING = states[2];
            TIMED_WAIT = states[3];
        }
    }

    private final Runnable trigger;
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private final Set<Thread> taken = ConcurrentHashMap.newKeySet();

    /** @param trigger called by the JVM's thread when there may be something to hand on */
    public Monitors(Runnable trigger) {
        this.trigger = trigger;
    }

    /** A thread has left its carrier. Loop thread. */
    void leaves(Thread virtual) {
        if (Access.LISTED != null && isWaiting(virtual) && !waiting.contains(virtual)) waiting.add(virtual);
    }

    @SuppressWarnings("NullAway") // all are there, or none
    private static boolean isWaiting(Thread virtual) {
        int state = (int) Access.STATE.getVolatile(virtual);
        return state == Access.BLOCKING
                || state == Access.BLOCKED
                || (state >= Access.WAITING && state <= Access.TIMED_WAIT);
    }

    /** A thread may go on. On the JVM's thread; true if the loop hands it on. */
    boolean goesOn(Thread virtual) {
        if (!waiting.contains(virtual)) return false;
        taken.add(virtual);
        trigger.run();
        return true;
    }

    /** Hands on the threads that may go on; returns whether there are any. Loop thread, while nothing is mounted. */
    @SuppressWarnings("NullAway") // all are there, or none
    public boolean handOn() {
        if (waiting.isEmpty()) return false;
        boolean some = false;
        for (Iterator<Thread> each = waiting.iterator(); each.hasNext(); ) {
            Thread one = each.next();
            while ((boolean) Access.LISTED.getVolatile(one)) Thread.onSpinWait();
            boolean goesOn = taken.remove(one);
            if (!goesOn && isWaiting(one)) continue;
            each.remove();
            if (!goesOn) continue;
            some = true;
            try {
                Access.UNBLOCK.invokeExact(one);
            } catch (Throwable e) {
                throw new IllegalStateException("Bug in TrueAsync: a thread that waits for a monitor", e);
            }
        }
        return some;
    }
}
