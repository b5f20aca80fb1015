package org.trueasync.internal.run;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.error.Throwing;

/**
 * Access to the JDK's {@code sun.misc.Signal}, which no other class uses. {@code Signal} is not part of
 * the Java platform but of the module {@code jdk.unsupported}, which may be missing. Since JDK 25 the compiler's
 * warning about it can't be switched off. So it is looked up.
 */
public final class SystemSignals {
    /**
     * The parts of {@code sun.misc} that are used here.
     *
     * @param systems the handlers that stand for the system's default and for ignoring
     */
    private record Access(
            MethodHandle make, MethodHandle handle, MethodHandle raise, Class<?> handler, List<Object> systems) {}

    private static final @Nullable Access ACCESS = open();

    private SystemSignals() {}

    private static @Nullable Access open() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> signal = lookup.findClass("sun.misc.Signal");
            Class<?> handler = lookup.findClass("sun.misc.SignalHandler");
            return new Access(
                    lookup.findConstructor(signal, MethodType.methodType(void.class, String.class))
                            .asType(MethodType.methodType(Object.class, String.class)),
                    lookup.findStatic(signal, "handle", MethodType.methodType(handler, signal, handler))
                            .asType(MethodType.methodType(Object.class, Object.class, Object.class)),
                    lookup.findStatic(signal, "raise", MethodType.methodType(void.class, signal))
                            .asType(MethodType.methodType(void.class, Object.class)),
                    handler,
                    List.of(
                            lookup.findStaticVarHandle(handler, "SIG_DFL", handler)
                                    .get(),
                            lookup.findStaticVarHandle(handler, "SIG_IGN", handler)
                                    .get()));
        } catch (ReflectiveOperationException missing) {
            return null;
        }
    }

    private static Access access() {
        if (ACCESS == null)
            throw new AsyncException(
                    "this JVM has no signals to wait for: it lacks the module jdk.unsupported; add it (--add-modules jdk.unsupported)");
        return ACCESS;
    }

    /**
     * Runs an action for each delivery, on a thread that the JVM starts for it.
     *
     * @param name without {@code SIG}
     * @param action any thread, several at once
     * @return what was there before, for {@link #restore}
     * @throws IllegalArgumentException if the JVM does not know the signal, or keeps it for itself
     * @throws AsyncException if the JVM has no module {@code jdk.unsupported}
     */
    public static Object handle(String name, Runnable action) {
        try {
            // by its interface: the class of the action may be another package's
            MethodHandle run = MethodHandles.lookup()
                    .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                    .bindTo(action);
            return replace(
                    name,
                    MethodHandleProxies.asInterfaceInstance(
                            access().handler, MethodHandles.dropArguments(run, 0, Object.class)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Bug in TrueAsync: a Runnable without run; please report this trace", e);
        }
    }

    /**
     * Runs an action in place of the JVM's own handler, by which a signal ends the process. Changes nothing where the
     * program handles the signal, or it is ignored, or this JVM has no signals.
     */
    static void replaceJvmHandler(String name, Runnable action) {
        if (ACCESS == null) return;
        try {
            Object before = handle(name, action);
            if (!isJvmHandler(before)) restore(name, before);
        } catch (IllegalArgumentException keptByTheJvm) {
            // -Xrs
        }
    }

    /**
     * True for the JVM's own handler. The JDK wraps it in a class of its own, of which the system's two are instances
     * too; a program's handler is not wrapped.
     */
    private static boolean isJvmHandler(Object handler) {
        return handler.getClass().getName().equals("sun.misc.Signal$SunMiscHandler")
                && !access().systems.contains(handler);
    }

    /** Puts a former handler back. */
    public static void restore(String name, Object before) {
        replace(name, before);
    }

    private static Object replace(String name, Object handler) {
        Access access = access();
        try {
            return (Object) access.handle.invokeExact((Object) access.make.invokeExact(name), handler);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * Raises a signal, for the handler that was put back. If that is the system's own action, this can't be done from
     * here, and the delivery is dropped.
     */
    public static void raise(String name) {
        Access access = access();
        try {
            access.raise.invokeExact((Object) access.make.invokeExact(name));
        } catch (IllegalArgumentException systems) {
            // the JDK refuses to raise what it has no handler for
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }
}
