package org.trueasync.internal.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;

/**
 * The one class that knows what {@code java.lang} keeps to itself: virtual threads with a scheduler of our own, the carrier under them, and
 * what has to be wiped before one is reused. A JDK with a public custom-scheduler API changes this class alone.
 */
final class VirtualThreads {
    private static final MethodHandle NEW_VIRTUAL_THREAD;
    private static final MethodHandle CURRENT_CARRIER;
    private static final @Nullable Executor DEFAULT_SCHEDULER;
    private static final VarHandle THREAD_LOCALS;
    private static final VarHandle INHERITABLE_THREAD_LOCALS;
    private static final @Nullable Throwable REFUSED;

    static {
        MethodHandle create = null;
        MethodHandle carrier = null;
        Executor defaultScheduler = null;
        VarHandle locals = null;
        VarHandle inheritable = null;
        Throwable refused = null;
        try {
            Class<?> builders = Class.forName("java.lang.ThreadBuilders");
            create = MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
                    .findStatic(
                            builders,
                            "newVirtualThread",
                            MethodType.methodType(Thread.class, Executor.class, String.class, int.class, Runnable.class));
            var thread = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            carrier = thread.findStatic(Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
            Class<?> map = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
            locals = thread.findVarHandle(Thread.class, "threadLocals", map);
            inheritable = thread.findVarHandle(Thread.class, "inheritableThreadLocals", map);
            Class<?> virtual = Class.forName("java.lang.VirtualThread");
            defaultScheduler = (Executor) MethodHandles.privateLookupIn(virtual, MethodHandles.lookup())
                    .findStatic(virtual, "defaultScheduler", MethodType.methodType(Executor.class))
                    .invoke();
            // The JDK's socket pollers are virtual threads too. Started from inside a coroutine they would inherit its scheduler and end with
            // its run, and with them all blocking sockets of the process: start them before the first loop.
            Class.forName("sun.nio.ch.Poller", true, null);
        } catch (Throwable e) {
            refused = e;
        }
        NEW_VIRTUAL_THREAD = create;
        CURRENT_CARRIER = carrier;
        DEFAULT_SCHEDULER = defaultScheduler;
        THREAD_LOCALS = locals;
        INHERITABLE_THREAD_LOCALS = inheritable;
        REFUSED = refused;
    }

    private VirtualThreads() {}

    /**
     * Fails, with the flag that is missing, if virtual threads can't be given a scheduler here.
     *
     * @throws AsyncException names the flag
     */
    static void requireAccess() {
        if (REFUSED == null) return;
        Module module = VirtualThreads.class.getModule();
        String target = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        throw new AsyncException(
                "Virtual threads refused our scheduler: add --add-opens java.base/java.lang=" + target
                        + " to the java command, or use the trueasync command (JDK "
                        + Runtime.version().feature() + ", tried with 25)",
                REFUSED);
    }

    static Thread create(Executor scheduler, Runnable body) {
        try {
            return (Thread) NEW_VIRTUAL_THREAD.invokeExact(scheduler, (String) null, 0, body);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** The platform thread under the calling thread, or the calling thread itself. */
    static Thread carrier() {
        try {
            return (Thread) CURRENT_CARRIER.invokeExact();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** True where {@link #carrier} works. */
    static boolean accessible() {
        return REFUSED == null;
    }

    /** Makes the calling virtual thread look new: no thread locals, no interrupt. */
    static void wipe(Thread self, @Nullable ClassLoader loader) {
        if (THREAD_LOCALS.get(self) != null) THREAD_LOCALS.set(self, null);
        if (INHERITABLE_THREAD_LOCALS.get(self) != null) INHERITABLE_THREAD_LOCALS.set(self, null);
        if (self.isInterrupted()) Thread.interrupted();
        if (self.getContextClassLoader() != loader) self.setContextClassLoader(loader);
        if (!self.getName().isEmpty()) self.setName("");
    }

    /** Runs a virtual thread's task whose own scheduler has gone. */
    static void runOrphan(Runnable task) {
        if (DEFAULT_SCHEDULER != null) DEFAULT_SCHEDULER.execute(task);
    }

    /** The virtual thread behind a task that the JDK gave to an executor, or null if it can't be told. */
    static @Nullable Thread threadOf(Runnable task) {
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
}
