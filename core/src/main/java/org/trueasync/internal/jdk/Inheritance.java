package org.trueasync.internal.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;
import org.trueasync.spi.ContextPropagator;

/**
 * What a thread hands down to what it starts. Taken where a coroutine is spawned or a task submitted, given where that
 * begins.
 *
 * <ul>
 *   <li>As the JDK's threads do: its inheritable thread locals, with the values that they have now, and its context
 *       class loader.
 *   <li>Its <em>context</em>: the scoped values that are bound in it, and what {@link ContextPropagator}s take.
 * </ul>
 */
public final class Inheritance {
    private final @Nullable Object locals;
    /** Counts only if {@link #hasLoader}. */
    private final @Nullable ClassLoader loader;

    private final boolean hasLoader;
    private final @Nullable Object bindings;
    private final @Nullable Carried carried;

    private Inheritance(
            @Nullable Object locals,
            @Nullable ClassLoader loader,
            boolean hasLoader,
            @Nullable Object bindings,
            @Nullable Carried carried) {
        this.locals = locals;
        this.loader = loader;
        this.hasLoader = hasLoader;
        this.bindings = bindings;
        this.carried = carried;
    }

    /**
     * What the calling thread hands down. Asks the thread locals for their children's values, so this and the following
     * ones may throw what users throw.
     *
     * @param usual the class loader that every coroutine has anyway
     * @return null if there is nothing
     */
    public static @Nullable Inheritance ofCaller(@Nullable ClassLoader usual) {
        Thread caller = Thread.currentThread();
        Object locals = VirtualThreads.inheritableLocals(caller);
        ClassLoader loader = caller.getContextClassLoader();
        Object bindings = ScopedBindings.of(caller);
        Carried carried = Carried.ofCaller();
        return locals == null && loader == usual && bindings == null && carried == null
                ? null
                : new Inheritance(locals, loader, true, bindings, carried);
    }

    /** As {@link #ofCaller}, without the class loader: for a call on a helper thread. */
    public static @Nullable Inheritance withoutLoader() {
        return of(VirtualThreads.inheritableLocals(Thread.currentThread()), null, false);
    }

    /** The context alone: for a thread of the runtime's own, or one to which the JDK hands down the rest. */
    public static @Nullable Inheritance ofContext() {
        return of(null, null, false);
    }

    /**
     * As {@link #ofCaller}, for a thread that runs no coroutine: with the class loader of the runtime, not with that of
     * the thread which hands a task over.
     */
    public static @Nullable Inheritance ofOutsider(@Nullable ClassLoader usual) {
        return of(VirtualThreads.inheritableLocals(Thread.currentThread()), usual, true);
    }

    private static @Nullable Inheritance of(@Nullable Object locals, @Nullable ClassLoader loader, boolean hasLoader) {
        Object bindings = ScopedBindings.of(Thread.currentThread());
        Carried carried = Carried.ofCaller();
        return locals == null && bindings == null && carried == null
                ? null
                : new Inheritance(locals, loader, hasLoader, bindings, carried);
    }

    /** What of the calling thread's context another process understands. */
    public static Map<String, String> textOfCaller() {
        return Carried.textOfCaller();
    }

    /** Sets on the calling thread what {@link #textOfCaller} has returned in another process. */
    public static void giveText(Map<String, String> text) {
        Carried.giveText(text);
    }

    /** Says what is not handed on in this process, and why. Each is returned once. */
    public static List<String> takeRefusals() {
        List<String> reports = new ArrayList<>(Carried.takeRefusals());
        String refusal = ScopedBindings.takeRefusal();
        if (refusal != null)
            reports.add("Scoped values are not handed on to coroutines, tasks and threads: this JDK, "
                    + Runtime.version() + ", keeps them in another way than 25 does (" + refusal
                    + "); bind them again where they are needed");
        return reports;
    }

    /** Returns the same for one more thread. */
    public Inheritance copy() {
        return locals == null
                ? this
                : new Inheritance(VirtualThreads.inherited(locals), loader, hasLoader, bindings, carried);
    }

    /**
     * Gives it to the calling thread, once. {@link VirtualThreads#wipe} removes it.
     *
     * @return what {@link #call} is to be called with; null if the task can be run without it. Throws what a
     *     {@link ContextPropagator} throws
     */
    public @Nullable Object give() {
        Thread heir = Thread.currentThread();
        if (locals != null) VirtualThreads.setInheritableLocals(heir, locals);
        if (hasLoader && heir.getContextClassLoader() != loader) heir.setContextClassLoader(loader);
        Object set = bindings != null && ScopedBindings.set(heir, bindings) ? bindings : null;
        if (carried != null) carried.give();
        return set;
    }

    /** Runs a task on the calling thread, to which {@link #give} has given something. */
    public static <T extends @Nullable Object> T call(Object given, Callable<T> task) {
        return ScopedBindings.call(given, task);
    }

    private <T extends @Nullable Object> T giveAndCall(Callable<T> task) {
        try {
            Object given = give();
            return given == null ? task.call() : call(given, task);
        } catch (Exception e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Returns the task with the context of the calling thread, for a coroutine; itself if there is no context. */
    public static <T extends @Nullable Object> Callable<T> withContext(Callable<T> task) {
        Inheritance context = ofContext();
        return context == null ? task : () -> context.giveAndCall(task);
    }

    /** As {@link #withContext(Callable)}. */
    public static Runnable withContext(Runnable task) {
        Inheritance context = ofContext();
        return context == null ? task : () -> context.giveAndCall(Executors.callable(task));
    }

    /**
     * Gives it to the calling helper thread, runs a task with it, and removes it again, with what the task has added.
     *
     * @param given may be null
     */
    @SuppressWarnings("NullAway") // a value may be null where T says so
    public static <T extends @Nullable Object> T callOnHelper(@Nullable Inheritance given, Callable<T> task) {
        T result = null;
        Throwable thrown = null;
        try {
            result = given == null ? task.call() : given.giveAndCall(task);
        } catch (Throwable e) {
            thrown = e;
        }
        Thread helper = Thread.currentThread();
        VirtualThreads.setInheritableLocals(helper, null);
        ScopedBindings.clear(helper);
        thrown = Carried.takeBack(given == null ? null : given.carried, thrown);
        if (thrown != null) throw Throwing.sneaky(thrown);
        return result;
    }
}
