package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;

/**
 * The bindings of scoped values. The JDK hands them on in {@code StructuredTaskScope.fork} alone; here a thread takes
 * them from another one, by internals of {@code java.lang}.
 *
 * <p>A thread has its bindings in a field. After a stack overflow the JVM no longer trusts the field and clears it.
 * Then the JDK looks for the innermost frame of a method {@code runWith} and takes the bindings from there. Look-ups
 * are remembered in a cache of the carrier, which must be dropped when bindings are set.
 */
final class ScopedBindings {
    /** What the field says of a thread in which nothing has been bound. */
    private static final Object NEW_THREAD = Thread.class;

    private static final AtomicReference<@Nullable String> REFUSAL = new AtomicReference<>();
    private static final @Nullable Jdk JDK = Jdk.orNull();

    /**
     * Access to the JDK's internals.
     *
     * @param field the bindings of a thread; null if they have to be searched for on its stack
     * @param none what the field says of a thread in which something was bound and nothing is now
     * @param search the bindings of the calling thread, also if the field is null
     * @param runWith runs an action with the bindings on the stack
     * @param setCache sets the cache of look-ups
     */
    private record Jdk(VarHandle field, Object none, MethodHandle search, MethodHandle runWith, MethodHandle setCache) {

        static @Nullable Jdk orNull() {
            try {
                return find();
            } catch (ReflectiveOperationException | RuntimeException e) {
                REFUSAL.set(e.toString());
                return null;
            }
        }

        private static Jdk find() throws ReflectiveOperationException {
            var own = MethodHandles.lookup();
            var thread = MethodHandles.privateLookupIn(Thread.class, own);
            var values = MethodHandles.privateLookupIn(ScopedValue.class, own);
            Class<?> bindings = Class.forName("java.lang.ScopedValue$Snapshot");
            return new Jdk(
                    thread.findVarHandle(Thread.class, "scopedValueBindings", Object.class),
                    MethodHandles.privateLookupIn(bindings, own)
                            .findStaticVarHandle(bindings, "EMPTY_SNAPSHOT", bindings)
                            .get(),
                    values.findStatic(ScopedValue.class, "scopedValueBindings", MethodType.methodType(bindings))
                            .asType(MethodType.methodType(Object.class)),
                    thread.findVirtual(
                            Thread.class, "runWith", MethodType.methodType(void.class, Object.class, Runnable.class)),
                    thread.findStatic(
                            Thread.class, "setScopedValueCache", MethodType.methodType(void.class, Object[].class)));
        }

        @Nullable
        Object of(Thread self) {
            Object own = field.get(self);
            if (own == NEW_THREAD || own == none) return null;
            return own != null ? own : searched();
        }

        private @Nullable Object searched() {
            try {
                Object found = (Object) search.invokeExact();
                return found == none ? null : found;
            } catch (Throwable e) {
                throw Throwing.sneaky(e);
            }
        }

        void change(Thread self, Object bindings) {
            try {
                field.set(self, bindings);
                setCache.invokeExact((Object[]) null);
            } catch (Throwable e) {
                throw Throwing.sneaky(e);
            }
        }

        void run(Object bindings, Runnable task) {
            try {
                runWith.invokeExact(Thread.currentThread(), bindings, task);
            } catch (Throwable e) {
                throw Throwing.sneaky(e);
            }
        }
    }

    private ScopedBindings() {}

    /** Why bindings stay where they were made, on this JDK; null if they do not. Not null once at most. */
    static @Nullable String takeRefusal() {
        return REFUSAL.getAndSet(null);
    }

    /** The bindings of the calling thread; null for none, which costs one read. */
    static @Nullable Object of(Thread self) {
        return JDK == null ? null : JDK.of(self);
    }

    /**
     * Sets the bindings of the calling thread until {@link #clear}.
     *
     * @return false if the JDK itself has given it bindings, which count then: those of a scope that has started it
     */
    static boolean set(Thread self, Object bindings) {
        if (JDK == null || JDK.field.get(self) != NEW_THREAD) return false;
        JDK.change(self, bindings);
        return true;
    }

    /** Makes the calling thread look as if nothing had ever been bound in it. Costs one read if that is so. */
    static void clear(Thread self) {
        if (JDK != null && JDK.field.get(self) != NEW_THREAD) JDK.change(self, NEW_THREAD);
    }

    /** Calls a task on the calling thread, which has these bindings, so that they are found on its stack too. */
    static <T extends @Nullable Object> T call(Object bindings, Callable<T> task) {
        var call = new Call<T>(task);
        Objects.requireNonNull(JDK, "bindings come from it").run(bindings, call);
        return call.result;
    }

    private static final class Call<T extends @Nullable Object> implements Runnable {
        private final Callable<T> task;

        @SuppressWarnings("NullAway") // set before it is read
        T result;

        Call(Callable<T> task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                result = task.call();
            } catch (Throwable e) {
                throw Throwing.sneaky(e);
            }
        }
    }
}
