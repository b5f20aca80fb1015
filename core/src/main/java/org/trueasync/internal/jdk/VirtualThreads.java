package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.error.Throwing;

/**
 * Virtual threads with a scheduler of our own, by internals of {@code java.lang}: how they are made, mounted and
 * unmounted, the carrier under them, and what has to be wiped before one is reused. A JDK with a public
 * custom-scheduler API changes this class alone.
 */
public final class VirtualThreads {
    /**
     * Resolved with the first use. It is a nested class so that a refusal is an error of that use, with a message of
     * ours.
     */
    private static final class Access {
        static final MethodHandle NEW_VIRTUAL_THREAD;
        static final MethodHandle CURRENT_CARRIER;
        static final Executor DEFAULT_SCHEDULER;
        static final VarHandle THREAD_LOCALS;
        static final VarHandle INHERITABLE_THREAD_LOCALS;
        static final MethodHandle INHERITED;
        static final MethodHandle SIZE;

        // For the direct switch.
        static final VarHandle STATE;
        static final VarHandle CARRIER;
        static final VarHandle CONTAINER;
        static final Object ROOT_CONTAINER;
        static final MethodHandle TASK;
        static final MethodHandle SCHEDULER;
        static final MethodHandle CONTINUATION;
        static final MethodHandle RUN;
        static final MethodHandle WALKER;
        static final MethodHandle IS_DONE;
        static final MethodHandle YIELD;
        static final MethodHandle SET_CURRENT;
        static final MethodHandle MOUNT;
        static final MethodHandle UNMOUNT;
        static final MethodHandle AFTER_YIELD;
        static final MethodHandle AFTER_DONE;
        static final MethodHandle NOTIFY_MOUNT;
        static final MethodHandle NOTIFY_UNMOUNT;

        // What an interrupt reads or writes; null where this JDK has no such field.
        static final @Nullable VarHandle INTERRUPTED;
        static final @Nullable VarHandle PERMIT;
        static final @Nullable VarHandle NOTIFIED;

        static {
            try {
                Class<?> builders = Class.forName("java.lang.ThreadBuilders");
                NEW_VIRTUAL_THREAD = MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
                        .findStatic(
                                builders,
                                "newVirtualThread",
                                MethodType.methodType(
                                        Thread.class, Executor.class, String.class, int.class, Runnable.class));
                var thread = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
                CURRENT_CARRIER =
                        thread.findStatic(Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
                Class<?> map = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
                THREAD_LOCALS = thread.findVarHandle(Thread.class, "threadLocals", map);
                INHERITABLE_THREAD_LOCALS = thread.findVarHandle(Thread.class, "inheritableThreadLocals", map);
                var inThreadLocal = MethodHandles.privateLookupIn(ThreadLocal.class, MethodHandles.lookup());
                INHERITED = inThreadLocal
                        .findStatic(ThreadLocal.class, "createInheritedMap", MethodType.methodType(map, map))
                        .asType(MethodType.methodType(Object.class, Object.class));
                SIZE = MethodHandles.privateLookupIn(map, MethodHandles.lookup())
                        .findVirtual(map, "size", MethodType.methodType(int.class))
                        .asType(MethodType.methodType(int.class, Object.class));
                Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
                CONTAINER = thread.findVarHandle(Thread.class, "container", container);
                Class<?> virtual = Class.forName("java.lang.VirtualThread");
                var inVirtual = MethodHandles.privateLookupIn(virtual, MethodHandles.lookup());
                STATE = inVirtual.findVarHandle(virtual, "state", int.class);
                CARRIER = inVirtual.findVarHandle(virtual, "carrierThread", Thread.class);
                TASK = inVirtual
                        .findGetter(virtual, "runContinuation", Runnable.class)
                        .asType(MethodType.methodType(Runnable.class, Thread.class));
                SCHEDULER = inVirtual
                        .findGetter(virtual, "scheduler", Executor.class)
                        .asType(MethodType.methodType(Executor.class, Thread.class));
                Class<?> continuation = Class.forName("java.lang.VirtualThread$VThreadContinuation");
                CONTINUATION = inVirtual
                        .findGetter(virtual, "cont", continuation.getSuperclass())
                        .asType(MethodType.methodType(Object.class, Thread.class));
                RUN = inVirtual
                        .findVirtual(continuation, "run", MethodType.methodType(void.class))
                        .asType(MethodType.methodType(void.class, Object.class));
                WALKER = inVirtual
                        .findVirtual(continuation, "stackWalker", MethodType.methodType(StackWalker.class, Set.class))
                        .asType(MethodType.methodType(StackWalker.class, Object.class, Set.class));
                IS_DONE = inVirtual
                        .findVirtual(continuation, "isDone", MethodType.methodType(boolean.class))
                        .asType(MethodType.methodType(boolean.class, Object.class));
                YIELD = inVirtual
                        .findVirtual(virtual, "yieldContinuation", MethodType.methodType(boolean.class))
                        .asType(MethodType.methodType(boolean.class, Thread.class));
                SET_CURRENT = thread.findVirtual(
                        Thread.class, "setCurrentThread", MethodType.methodType(void.class, Thread.class));
                MOUNT = ofThread(inVirtual, virtual, "mount");
                UNMOUNT = ofThread(inVirtual, virtual, "unmount");
                AFTER_YIELD = ofThread(inVirtual, virtual, "afterYield");
                AFTER_DONE = inVirtual
                        .findVirtual(virtual, "afterDone", MethodType.methodType(void.class, boolean.class))
                        .asType(MethodType.methodType(void.class, Thread.class, boolean.class));
                INTERRUPTED = flag(thread, Thread.class, "interrupted");
                PERMIT = flag(inVirtual, virtual, "parkPermit");
                NOTIFIED = flag(inVirtual, virtual, "notified");
                NOTIFY_MOUNT = jvmtiNotifier(inVirtual, virtual, "notifyJvmtiMount", "startTransition");
                NOTIFY_UNMOUNT = jvmtiNotifier(inVirtual, virtual, "notifyJvmtiUnmount", "endTransition");
                DEFAULT_SCHEDULER = (Executor) inVirtual
                        .findStatic(virtual, "defaultScheduler", MethodType.methodType(Executor.class))
                        .invoke();
                // The JDK's socket pollers are virtual threads too. Started from inside a coroutine they would inherit
                // its scheduler and end with its run, and with them all blocking sockets of the process: start them
                // before the first loop.
                Class.forName("sun.nio.ch.Poller", true, null);
                ROOT_CONTAINER = (Object) CONTAINER.get(runOneToItsEnd());
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Access() {}

        /**
         * Runs a thread to its end, which links what a thread does last. Otherwise, if thousands begin before the first
         * one ends, the compiler takes that part for code that never runs, and each of them falls back into the
         * interpreter there.
         */
        private static Thread runOneToItsEnd() throws Throwable {
            Executor here = Runnable::run;
            Runnable nothing = () -> {};
            var thread = (Thread) NEW_VIRTUAL_THREAD.invokeExact(here, (String) null, 0, nothing);
            thread.start();
            return thread;
        }

        private static @Nullable VarHandle flag(MethodHandles.Lookup lookup, Class<?> type, String name) {
            try {
                return lookup.findVarHandle(type, name, boolean.class);
            } catch (ReflectiveOperationException e) {
                return null;
            }
        }

        private static MethodHandle ofThread(MethodHandles.Lookup lookup, Class<?> virtual, String name)
                throws ReflectiveOperationException {
            return lookup.findVirtual(virtual, name, MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Thread.class));
        }

        /** What tells the JVM that a mount begins, or that an unmount has ended; JDK 26 gave it a new name. */
        private static MethodHandle jvmtiNotifier(
                MethodHandles.Lookup lookup, Class<?> virtual, String name, String newName)
                throws ReflectiveOperationException {
            MethodType type = MethodType.methodType(void.class, boolean.class);
            MethodHandle found;
            try {
                found = lookup.findVirtual(virtual, name, type);
            } catch (NoSuchMethodException later) {
                found = lookup.findVirtual(virtual, newName, type);
            }
            return found.asType(MethodType.methodType(void.class, Thread.class, boolean.class));
        }

        /** Forces the initialisation. */
        static void require() {}
    }

    private static final Set<StackWalker.Option> WITH_REFLECTION = Set.of(StackWalker.Option.SHOW_REFLECT_FRAMES);

    private VirtualThreads() {}

    /**
     * Fails, with the flag that is missing, if virtual threads can't be given a scheduler here.
     *
     * @throws AsyncException names the flag
     */
    public static void requireAccess() {
        try {
            Access.require();
        } catch (LinkageError e) {
            Module module = VirtualThreads.class.getModule();
            String target = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            throw new AsyncException(
                    "Virtual threads refused our scheduler: add --add-opens java.base/java.lang=" + target
                            + " to the java command, or -javaagent: with the jar of trueasync, or Add-Opens: java.base/java.lang"
                            + " to the manifest of an executable jar, or use the trueasync command (this is JDK "
                            + Runtime.version().feature() + "; it was tried on 25, 26 and 27;"
                            + " trueasync explain missing-flags)",
                    e);
        }
    }

    /** The JDK's flag for a thread that inherits nothing from its creator. */
    private static final int NO_INHERITANCE = 1 << 2;

    /**
     * Makes a virtual thread, not started.
     *
     * @param inherits whether it gets what the calling thread hands down
     */
    public static Thread create(Executor scheduler, Runnable body, boolean inherits) {
        int characteristics = inherits ? 0 : NO_INHERITANCE;
        try {
            return (Thread) Access.NEW_VIRTUAL_THREAD.invokeExact(scheduler, (String) null, characteristics, body);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** What the JDK hands to a thread's scheduler each time that the thread may run. */
    public static Runnable taskOf(Thread virtual) {
        try {
            return (Runnable) Access.TASK.invokeExact(virtual);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** The scheduler of a virtual thread. */
    public static Executor schedulerOf(Thread virtual) {
        try {
            return (Executor) Access.SCHEDULER.invokeExact(virtual);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * True if the JDK is to know of every thread of ours, so that its thread dumps show them; it costs an entry of a
     * concurrent map for each.
     */
    public static final boolean TRACKED = Boolean.getBoolean("jdk.trackAllThreads");

    /**
     * Does what {@code Thread.start} does, without the JDK's list of all threads and without the thread's scheduler:
     * the first {@link #thaw} begins to run it.
     */
    public static void adopt(Thread created) {
        Access.CONTAINER.set(created, Access.ROOT_CONTAINER);
    }

    /** The platform thread under the calling thread, or the calling thread itself. */
    public static Thread carrier() {
        try {
            return (Thread) Access.CURRENT_CARRIER.invokeExact();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * Makes the calling virtual thread look new: no thread locals, no bindings of scoped values, no interrupt status,
     * no name, the given class loader.
     */
    public static void wipe(Thread self, @Nullable ClassLoader loader) {
        wipe(self, "", loader);
    }

    /** As {@link #wipe(Thread, ClassLoader)}, of any thread, which has that name afterwards. */
    public static void wipe(Thread self, String name, @Nullable ClassLoader loader) {
        if (Access.THREAD_LOCALS.get(self) != null) removeLocals(self);
        if (Access.INHERITABLE_THREAD_LOCALS.get(self) != null) Access.INHERITABLE_THREAD_LOCALS.set(self, null);
        ScopedBindings.clear(self);
        if (self.isInterrupted()) Thread.interrupted();
        if (self.getContextClassLoader() != loader) self.setContextClassLoader(loader);
        if (!self.getName().equals(name)) self.setName(name);
    }

    /** Removes the thread locals of the calling thread, other than the inheritable ones. */
    static void removeLocals(Thread self) {
        Access.THREAD_LOCALS.set(self, null);
    }

    /** A copy of the inheritable thread locals of a thread, for a child; null for none, which costs one read. */
    public static @Nullable Object inheritableLocals(Thread thread) {
        Object own = Access.INHERITABLE_THREAD_LOCALS.get(thread);
        try {
            return own == null || (int) Access.SIZE.invokeExact(own) == 0 ? null : inherited(own);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** A copy of inheritable thread locals, for a child. */
    public static Object inherited(Object locals) {
        try {
            return (Object) Access.INHERITED.invokeExact(locals);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    public static void setInheritableLocals(Thread thread, @Nullable Object locals) {
        Access.INHERITABLE_THREAD_LOCALS.set(thread, locals);
    }

    /** Runs a task on the JDK's own scheduler: the task of a virtual thread whose scheduler has ended, for instance. */
    public static void runOrphan(Runnable task) {
        Access.DEFAULT_SCHEDULER.execute(task);
    }

    /** The virtual thread behind a task that the JDK gave to an executor, or null if it can't be told. */
    public static @Nullable Thread threadOf(Runnable task) {
        try {
            for (Field field : task.getClass().getDeclaredFields()) {
                field.setAccessible(true);
                if (field.get(task) instanceof Thread thread) return thread;
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            // an unknown task is treated as one that may end at any time
            return null;
        }
        return null;
    }

    // ---- interrupts, see SentInterrupt

    /**
     * Called after an interrupt of a thread that JDK code has parked: from now on {@link #isWoken} tells whether
     * anything else has woken it.
     */
    public static void forgetWake(Thread parked) {
        if (Access.PERMIT != null) Access.PERMIT.setVolatile(parked, false);
    }

    /**
     * True if what the thread waits for has come since. On the loop thread, before it is mounted.
     *
     * @param inWait whether it waits in {@code Object.wait}; a thread that was notified looks so until its next such
     *     wait
     */
    public static boolean isWoken(Thread interrupted, boolean inWait) {
        if (Access.PERMIT != null && (boolean) Access.PERMIT.getVolatile(interrupted)) return true;
        return inWait && Access.NOTIFIED != null && (boolean) Access.NOTIFIED.getVolatile(interrupted);
    }

    /**
     * Clears the interrupt status of a thread; false if this JDK does not let us. On the loop thread, before it is
     * mounted.
     */
    public static boolean clearInterrupt(Thread interrupted) {
        if (Access.INTERRUPTED == null) return false;
        Access.INTERRUPTED.setVolatile(interrupted, false);
        return true;
    }

    // ---- the direct switch, see DirectSwitch

    /**
     * Unmounted, and left alone by the JDK: a thread in this state is not runnable, can't be unparked, and has no stack
     * to look at.
     */
    private static final int STARTED = 1;

    private static final int RUNNING = 2;

    /** What a virtual thread runs on and is frozen into. */
    public static Object continuationOf(Thread virtual) {
        try {
            return (Object) Access.CONTINUATION.invokeExact(virtual);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Reads what the mount of a thread reads first, as a prefetch. The value means nothing. */
    public static int lookAt(Thread virtual) {
        return (int) Access.STATE.get(virtual) + (continuationOf(virtual) instanceof String ? 1 : 0);
    }

    /** Freezes the calling virtual thread; returns when it is thawed. False if it is pinned and could not be frozen. */
    public static boolean freeze(Thread self) {
        try {
            return (boolean) Access.YIELD.invokeExact(self);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * True if this is how the JVM says that a stack can't be frozen as the collector allows no object of its size. With
     * G1 that is half a heap region; the other collectors have no such limit. Source: {@code freeze_exception} and
     * {@code stack_chunk_max_size} in HotSpot.
     */
    public static boolean isTooLargeToFreeze(Throwable thrown) {
        return thrown instanceof StackOverflowError && "Humongous stack chunk".equals(thrown.getMessage());
    }

    /**
     * Thaws a frozen thread, or begins to run an {@link #adopt}ed one, until its continuation yields or ends. Then the
     * JVM still takes the calling platform thread for the virtual one.
     */
    public static void thaw(Thread virtual, Object continuation, Thread carrier) {
        try {
            Access.STATE.setRelease(virtual, RUNNING);
            if (virtual.isInterrupted() || carrier.isInterrupted()) {
                Access.MOUNT.invokeExact(virtual);
            } else {
                Access.NOTIFY_MOUNT.invokeExact(virtual, true);
                Access.CARRIER.setRelease(virtual, carrier);
                Access.SET_CURRENT.invokeExact(carrier, virtual);
            }
            Access.RUN.invokeExact(continuation);
        } catch (Throwable e) {
            isItselfAgain(carrier);
            throw Throwing.sneaky(e);
        }
    }

    /**
     * Completes a {@link #thaw} that ended in a {@link #freeze}: the calling platform thread is itself again for the
     * JVM.
     */
    public static void frozen(Thread virtual, Thread carrier) {
        try {
            Access.SET_CURRENT.invokeExact(carrier, carrier);
            Access.CARRIER.setRelease(virtual, (Thread) null);
            Access.NOTIFY_UNMOUNT.invokeExact(virtual, false);
            Access.STATE.setRelease(virtual, STARTED);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Completes a run of a thread by the JDK that ended in a {@link #freeze}. */
    public static void markFrozen(Thread virtual) {
        Access.STATE.setRelease(virtual, STARTED);
    }

    /**
     * Completes a {@link #thaw} that ended in any other way, as the JDK does.
     *
     * @param started true if it was begun by {@code Thread.start}, and so is on the JDK's list
     */
    public static void parkedOrEnded(Thread virtual, Object continuation, boolean started) {
        try {
            Access.UNMOUNT.invokeExact(virtual);
            if ((boolean) Access.IS_DONE.invokeExact(continuation)) Access.AFTER_DONE.invokeExact(virtual, started);
            else Access.AFTER_YIELD.invokeExact(virtual);
        } catch (Throwable e) {
            isItselfAgain(carrier());
            throw Throwing.sneaky(e);
        }
    }

    /**
     * Makes the platform thread itself again for the JVM after a failure, most likely for want of memory: it must not
     * be taken for a virtual thread that has left it.
     */
    private static void isItselfAgain(Thread carrier) {
        try {
            Access.SET_CURRENT.invokeExact(carrier, carrier);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * Begins and ends a thread as coroutines do. That links what is called then, which takes memory, of which there may
     * be none later. On a platform thread; elsewhere does nothing.
     */
    public static void link() {
        Thread carrier = Thread.currentThread();
        if (carrier.isVirtual()) return;
        Thread virtual = create(Runnable::run, () -> {}, false);
        Object continuation = continuationOf(virtual);
        adopt(virtual);
        thaw(virtual, continuation, carrier);
        parkedOrEnded(virtual, continuation, false);
        threadOf(taskOf(virtual));
    }

    /** Walks over the frames of a frozen thread. On the loop thread, where nothing can thaw it meanwhile. */
    static StackWalker walkerOf(Object continuation) {
        try {
            return (StackWalker) Access.WALKER.invokeExact(continuation, WITH_REFLECTION);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }
}
