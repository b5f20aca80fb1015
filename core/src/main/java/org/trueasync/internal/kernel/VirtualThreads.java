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
    /** Resolved with the first use; a nested class so that a refusal is an error of that use, with a message of ours. */
    private static final class Access {
        static final MethodHandle NEW_VIRTUAL_THREAD;
        static final MethodHandle CURRENT_CARRIER;
        static final Executor DEFAULT_SCHEDULER;
        static final VarHandle THREAD_LOCALS;
        static final VarHandle INHERITABLE_THREAD_LOCALS;

        static {
            try {
                Class<?> builders = Class.forName("java.lang.ThreadBuilders");
                NEW_VIRTUAL_THREAD = MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
                        .findStatic(
                                builders,
                                "newVirtualThread",
                                MethodType.methodType(Thread.class, Executor.class, String.class, int.class, Runnable.class));
                var thread = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
                CURRENT_CARRIER = thread.findStatic(Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
                Class<?> map = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
                THREAD_LOCALS = thread.findVarHandle(Thread.class, "threadLocals", map);
                INHERITABLE_THREAD_LOCALS = thread.findVarHandle(Thread.class, "inheritableThreadLocals", map);
                Class<?> virtual = Class.forName("java.lang.VirtualThread");
                DEFAULT_SCHEDULER = (Executor) MethodHandles.privateLookupIn(virtual, MethodHandles.lookup())
                        .findStatic(virtual, "defaultScheduler", MethodType.methodType(Executor.class))
                        .invoke();
                // The JDK's socket pollers are virtual threads too. Started from inside a coroutine they would inherit its scheduler and end
                // with its run, and with them all blocking sockets of the process: start them before the first loop.
                Class.forName("sun.nio.ch.Poller", true, null);
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Access() {}

        /** Forces the initialisation. */
        static void require() {}
    }

    private VirtualThreads() {}

    /**
     * Fails, with the flag that is missing, if virtual threads can't be given a scheduler here.
     *
     * @throws AsyncException names the flag
     */
    static void requireAccess() {
        try {
            Access.require();
        } catch (LinkageError e) {
            Module module = VirtualThreads.class.getModule();
            String target = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            throw new AsyncException(
                    "Virtual threads refused our scheduler: add --add-opens java.base/java.lang=" + target
                            + " to the java command, or use the trueasync command (this is JDK " + Runtime.version().feature() + "; it works with 25)",
                    e);
        }
    }

    static Thread create(Executor scheduler, Runnable body) {
        try {
            return (Thread) Access.NEW_VIRTUAL_THREAD.invokeExact(scheduler, (String) null, 0, body);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** The platform thread under the calling thread, or the calling thread itself. */
    static Thread carrier() {
        try {
            return (Thread) Access.CURRENT_CARRIER.invokeExact();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Makes the calling virtual thread look new: no thread locals, no interrupt. */
    static void wipe(Thread self, @Nullable ClassLoader loader) {
        if (Access.THREAD_LOCALS.get(self) != null) Access.THREAD_LOCALS.set(self, null);
        if (Access.INHERITABLE_THREAD_LOCALS.get(self) != null) Access.INHERITABLE_THREAD_LOCALS.set(self, null);
        if (self.isInterrupted()) Thread.interrupted();
        if (self.getContextClassLoader() != loader) self.setContextClassLoader(loader);
        if (!self.getName().isEmpty()) self.setName("");
    }

    /** Runs a virtual thread's task whose own scheduler has gone. */
    static void runOrphan(Runnable task) {
        Access.DEFAULT_SCHEDULER.execute(task);
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
