package org.trueasync.internal.jdk;

import org.jspecify.annotations.Nullable;

/**
 * What a thread hands down to the threads that it starts, as the JDK's threads do: its inheritable thread locals, with
 * the values that they have now, and its context class loader. Taken where a coroutine is spawned, given where it
 * begins.
 */
public final class Inheritance {
    private final @Nullable Object locals;
    private final @Nullable ClassLoader loader;

    private Inheritance(@Nullable Object locals, @Nullable ClassLoader loader) {
        this.locals = locals;
        this.loader = loader;
    }

    /**
     * What the calling thread hands down. Asks the thread locals for their children's values, so it may throw what
     * users throw.
     *
     * @param usual the class loader that every coroutine has anyway
     * @return null if there is nothing
     */
    public static @Nullable Inheritance ofCaller(@Nullable ClassLoader usual) {
        Thread caller = Thread.currentThread();
        Object locals = VirtualThreads.inheritableLocals(caller);
        ClassLoader loader = caller.getContextClassLoader();
        return locals == null && loader == usual ? null : new Inheritance(locals, loader);
    }

    /** The inheritable thread locals of the calling thread, for a call on a helper thread; null if there are none. */
    public static @Nullable Inheritance ofLocals() {
        Object locals = VirtualThreads.inheritableLocals(Thread.currentThread());
        return locals == null ? null : new Inheritance(locals, null);
    }

    /**
     * As {@link #ofCaller}, for a thread that runs no coroutine: with the class loader of the runtime, not with that of
     * the thread which hands a task over.
     */
    public static @Nullable Inheritance ofOutsider(@Nullable ClassLoader usual) {
        Object locals = VirtualThreads.inheritableLocals(Thread.currentThread());
        return locals == null ? null : new Inheritance(locals, usual);
    }

    /** Returns the same for one more thread. */
    public Inheritance copy() {
        return locals == null ? this : new Inheritance(VirtualThreads.inherited(locals), loader);
    }

    /** Gives it to the calling thread, once. */
    public void give() {
        Thread heir = Thread.currentThread();
        if (locals != null) VirtualThreads.setInheritableLocals(heir, locals);
        if (heir.getContextClassLoader() != loader) heir.setContextClassLoader(loader);
    }

    /** Gives the thread locals to a helper thread, once. */
    public void giveLocals() {
        if (locals != null) VirtualThreads.setInheritableLocals(Thread.currentThread(), locals);
    }

    /** Removes the inheritable thread locals of the calling helper thread, its own included. */
    public static void takeLocals() {
        VirtualThreads.setInheritableLocals(Thread.currentThread(), null);
    }
}
