package org.trueasync.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;

/**
 * Notices interrupts of our threads by other code. For the JDK a thread that we hold is not parked, so an interrupt
 * would only set its status. But each interrupt first looks in a field of the thread for a channel that wants to be
 * told, and this field is free while the thread is in a wait of ours.
 *
 * <p>A channel uses the field during a call and leaves it empty, hence {@link #keepWatching}. A thread that interrupts
 * itself does not look there. On a JDK without this field interrupts do not end our waits, and all else works.
 */
public final class Interrupts {
    /** The scheduler of a thread that is watched. */
    public interface Listener {
        /**
         * Called when a thread is interrupted. Any thread, which holds the lock that guards the status.
         *
         * @param thread one of this scheduler's, maybe not watched
         */
        void interrupted(Thread thread);
    }

    private static final @Nullable VarHandle PLACE;
    private static final @Nullable MethodHandle SCHEDULER;
    private static final @Nullable Object WATCHER;

    static {
        VarHandle place = null;
        MethodHandle scheduler = null;
        Object watcher = null;
        try {
            Class<?> interruptible = Class.forName("sun.nio.ch.Interruptible");
            place = privateLookup(Thread.class).findVarHandle(Thread.class, "nioBlocker", interruptible);
            Class<?> virtual = Class.forName("java.lang.VirtualThread");
            scheduler = privateLookup(virtual)
                    .findGetter(virtual, "scheduler", Executor.class)
                    .asType(MethodType.methodType(Executor.class, Thread.class));
            if (isAsWeKnowIt(interruptible)) watcher = watcher(interruptible);
        } catch (Throwable e) {
            // this JDK works in another way
        }
        PLACE = place;
        SCHEDULER = scheduler;
        WATCHER = watcher;
    }

    /** Initialises this class where its initialiser may take time. */
    public static void prepare() {}

    private static MethodHandles.Lookup privateLookup(Class<?> type) throws IllegalAccessException {
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }

    private static boolean isAsWeKnowIt(Class<?> interruptible) {
        for (Method method : interruptible.getMethods())
            if (!method.getName().equals("interrupt") && !method.getName().equals("postInterrupt")) return false;
        return true;
    }

    /*
     *  final class InterruptWatcher implements sun.nio.ch.Interruptible {
     *      public void interrupt(Thread target) { Interrupts.interrupted(target); }
     *      public void postInterrupt() {}
     *  }
     *
     * Generated, as the compiler does not see the interface. A java.lang.reflect.Proxy would take longer to make.
     */
    private static Object watcher(Class<?> interruptible) throws Throwable {
        privateLookup(Module.class)
                .findVirtual(
                        Module.class, "implAddExports", MethodType.methodType(void.class, String.class, Module.class))
                .invoke(Object.class.getModule(), interruptible.getPackageName(), Interrupts.class.getModule());
        ClassDesc self = ClassDesc.of(Interrupts.class.getPackageName() + ".InterruptWatcher");
        MethodTypeDesc ofThread = MethodTypeDesc.of(ConstantDescs.CD_void, ClassDesc.of(Thread.class.getName()));
        byte[] bytes = ClassFile.of().build(self, type -> type.withInterfaceSymbols(
                        ClassDesc.of(interruptible.getName()))
                .withMethodBody(ConstantDescs.INIT_NAME, ConstantDescs.MTD_void, 0, code -> code.aload(0)
                        .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                        .return_())
                .withMethodBody("interrupt", ofThread, ClassFile.ACC_PUBLIC, code -> code.aload(1)
                        .invokestatic(ClassDesc.of(Interrupts.class.getName()), "interrupted", ofThread)
                        .return_())
                .withMethodBody("postInterrupt", ConstantDescs.MTD_void, ClassFile.ACC_PUBLIC, code -> code.return_()));
        var defined = MethodHandles.lookup().defineHiddenClass(bytes, true);
        return defined.findConstructor(defined.lookupClass(), MethodType.methodType(void.class))
                .invoke();
    }

    private Interrupts() {}

    /** From now on the thread's scheduler is told of interrupts, if it is a {@link Listener}. */
    public static void watch(Thread thread) {
        if (WATCHER != null && PLACE != null) PLACE.setVolatile(thread, WATCHER);
    }

    /** As {@link #watch}, for a thread that was watched and has run since; costs one read. In the thread. */
    public static void keepWatching(Thread thread) {
        if (WATCHER != null && PLACE != null && PLACE.get(thread) != WATCHER) PLACE.setVolatile(thread, WATCHER);
    }

    /** Called by what {@link #watcher} makes. */
    static void interrupted(Thread thread) {
        if (SCHEDULER == null) return;
        Executor scheduler;
        try {
            scheduler = (Executor) SCHEDULER.invokeExact(thread);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
        if (scheduler instanceof Listener listener) listener.interrupted(thread);
    }
}
