package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM knows of a thread and its locks; a platform thread or a virtual one, mounted or not. Where the JDK does
 * not show that, nothing is known of any thread.
 *
 * @param state when it was examined
 * @param carrier the thread that it is mounted on; null if it is none, or no virtual thread
 * @param stack innermost frame first
 * @param wants the lock that it waits for without a time limit; null if it waits for nothing, or for what is no lock
 * @param holder the thread that has that lock, if the lock itself knows
 * @param owns the monitors that it has entered
 */
public record ThreadLocks(
        Thread.State state,
        @Nullable Thread carrier,
        List<StackTraceElement> stack,
        @Nullable Object wants,
        @Nullable Thread holder,
        List<Object> owns) {

    /**
     * Examines a thread. It may not be mounted or unmounted meanwhile, except in the JDK's own way.
     *
     * @param thread any but the calling one
     * @return null if it has ended, or if the JDK does not show this
     */
    public static @Nullable ThreadLocks of(Thread thread) {
        try {
            return Access.SNAPSHOT == null ? null : examine(thread, Access.SNAPSHOT);
        } catch (Throwable e) {
            return null;
        }
    }

    private static @Nullable ThreadLocks examine(Thread thread, Snapshot jdk) throws Throwable {
        Object seen = (Object) jdk.of.invokeExact(thread);
        if (seen == null) return null;
        var state = (Thread.State) jdk.state.invokeExact(seen);
        var stack = (StackTraceElement[]) jdk.stack.invokeExact(seen);
        Object wants = null;
        Thread holder = null;
        if (state == Thread.State.BLOCKED) {
            wants = (Object) jdk.blockedOn.invokeExact(seen);
        } else if (state == Thread.State.WAITING
                && LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer lock) {
            holder = (Thread) jdk.owner.invokeExact(lock);
            wants = lock;
        }
        var owns = new ArrayList<Object>();
        if ((boolean) jdk.ownsMonitors.invokeExact(seen))
            for (int depth = 0; depth < stack.length; depth++)
                ((Stream<?>) jdk.monitorsAt.invokeExact(seen, depth)).forEach(owns::add);
        return new ThreadLocks(
                state, (Thread) jdk.carrier.invokeExact(seen), List.of(stack), wants, holder, List.copyOf(owns));
    }

    /**
     * The thread that has the lock for which another thread is parked without a time limit; null if that is parked for
     * something else, or if the lock does not know. Any thread may be asked about, running or not.
     */
    public static @Nullable Thread holderOfWanted(Thread thread) {
        if (!(LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer lock)) return null;
        if (thread.getState() != Thread.State.WAITING || Access.SNAPSHOT == null) return null;
        try {
            Thread holder = (Thread) Access.SNAPSHOT.owner.invokeExact(lock);
            return holder == thread ? null : holder;
        } catch (Throwable e) {
            return null;
        }
    }

    /** True if this monitor, by identity, is among those that it has entered. */
    public boolean owns(Object monitor) {
        for (Object owned : owns) if (owned == monitor) return true;
        return false;
    }

    private record Snapshot(
            MethodHandle of,
            MethodHandle state,
            MethodHandle stack,
            MethodHandle carrier,
            MethodHandle blockedOn,
            MethodHandle ownsMonitors,
            MethodHandle monitorsAt,
            MethodHandle owner) {}

    /** Resolved by the first examination, as there is one only when something has gone wrong. */
    private static final class Access {
        static final @Nullable Snapshot SNAPSHOT = find();

        private static @Nullable Snapshot find() {
            try {
                ClosedPackages.open("jdk.internal.vm");
                ClosedPackages.open("java.util.concurrent.locks");
                Class<?> snapshot = Class.forName("jdk.internal.vm.ThreadSnapshot");
                var lookup = MethodHandles.privateLookupIn(snapshot, MethodHandles.lookup());
                var locks = MethodHandles.privateLookupIn(AbstractOwnableSynchronizer.class, MethodHandles.lookup());
                return new Snapshot(
                        lookup.findStatic(snapshot, "of", MethodType.methodType(snapshot, Thread.class))
                                .asType(MethodType.methodType(Object.class, Thread.class)),
                        getter(lookup, snapshot, "threadState", Thread.State.class),
                        getter(lookup, snapshot, "stackTrace", StackTraceElement[].class),
                        getter(lookup, snapshot, "carrierThread", Thread.class),
                        getter(lookup, snapshot, "blockedOn", Object.class),
                        getter(lookup, snapshot, "ownsMonitors", boolean.class),
                        lookup.findVirtual(snapshot, "ownedMonitorsAt", MethodType.methodType(Stream.class, int.class))
                                .asType(MethodType.methodType(Stream.class, Object.class, int.class)),
                        locks.findVirtual(
                                AbstractOwnableSynchronizer.class,
                                "getExclusiveOwnerThread",
                                MethodType.methodType(Thread.class)));
            } catch (Throwable e) {
                return null;
            }
        }

        private static MethodHandle getter(MethodHandles.Lookup lookup, Class<?> snapshot, String name, Class<?> type)
                throws ReflectiveOperationException {
            return lookup.findVirtual(snapshot, name, MethodType.methodType(type))
                    .asType(MethodType.methodType(type, Object.class));
        }
    }
}
