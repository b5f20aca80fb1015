package org.trueasync.internal.testkit.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Has {@code java.base} and the program call {@link Hook} in place of the JDK's clocks and sources of chance. Classes
 * of TrueAsync itself go on to see real time, except those that stand in a user's place: they know both.
 */
public final class Agent implements ClassFileTransformer {
    /** Where the copy of {@link Hook} is. */
    static final String HOOK = "java.lang.TrueAsyncTime";

    /** Where the copy of {@link ThreadHook} is. */
    static final String THREADS = "java.lang.TrueAsyncThreads";

    /** What is defined into {@code java.lang}, after its supertypes. */
    private static final List<Class<?>> COPIES =
            List.of(Hook.class, HookTask.class, HostThread.class, ThreadHook.class);

    /** The class that has a method, by name and descriptor. */
    private static final Map<String, String> CLOCKS = Map.of(
            "nanoTime()J", "java/lang/System",
            "currentTimeMillis()J", "java/lang/System",
            "getNanoTimeAdjustment(J)J", "jdk/internal/misc/VM",
            "random()D", "java/lang/Math",
            "seedUniquifier()J", "java/util/Random");

    private static final Map<String, String> OF_THREADS =
            Map.of("currentThread()Ljava/lang/Thread;", "java/lang/Thread", "onSpinWait()V", "java/lang/Thread");

    /** What has threads of its own: it sees virtual time where its threads do, in hosts of a simulation. */
    private static final String[] THREADED = {
        "java/util/Timer",
        "java/util/concurrent/ScheduledThreadPoolExecutor",
        "jdk/internal/net/http/",
        "sun/net/httpserver/"
    };

    /** Of {@code java.base}, what asks for the kind of its thread. */
    private static final String[] ASKING = {
        "java/util/concurrent/CompletableFuture",
        "java/util/concurrent/CountedCompleter",
        "java/util/concurrent/ForkJoin"
    };

    /**
     * What sees real time. Timers with a thread of their own: a time that the caller reads is compared with one that
     * the thread reads. What the JVM itself needs. Packages that read no clock, as a look into them costs time.
     * Of modules of the platform other than {@code java.base}: all.
     */
    private static final String[] REAL = {
        "java/io/",
        "java/lang/",
        "java/nio/",
        "java/security/",
        "java/util/concurrent/DelayScheduler",
        "java/util/function/",
        "java/util/jar/",
        "java/util/regex/",
        "java/util/stream/",
        "java/util/zip/",
        "jdk/",
        "sun/",
        "org/trueasync/"
    };

    /** Of the above, what is to see virtual time. */
    private static final String[] VIRTUAL = {
        "java/lang/Process",
        "java/lang/Thread",
        "java/lang/VirtualThread",
        "java/lang/ref/ReferenceQueue",
        "jdk/internal/misc/ThreadFlock",
        "sun/net/",
        "sun/nio/ch/",
        "org/trueasync/http/",
        "org/trueasync/internal/http/",
        "org/trueasync/jdbc/",
        "org/trueasync/internal/jdbc/",
        "org/trueasync/examples/"
    };

    private Agent() {}

    /** Called by the JVM before {@code main}. */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        agentmain(options, instrumentation);
    }

    /** Called by the JVM when the agent begins later. If it fails, the JDK's clocks stay real. */
    public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
        var agent = new Agent();
        try {
            Class<?> hook = define(instrumentation);
            CodeEdits.load();
            // Before the JVM asks: what the transformer itself needs must be loaded by then, or it would wait for
            // itself.
            var seen = new HashSet<Class<?>>();
            List<Class<?>> changed = rehearse(instrumentation, seen);
            instrumentation.addTransformer(agent, true);
            changed.addAll(rehearse(instrumentation, seen)); // loaded by other threads meanwhile
            instrumentation.retransformClasses(changed.toArray(new Class<?>[0]));
            hook.getMethod("begin").invoke(null);
        } catch (Exception | LinkageError e) {
            instrumentation.removeTransformer(agent);
        }
    }

    /**
     * Returns the classes that are to be changed now.
     *
     * @param seen those that were looked at
     */
    private static List<Class<?>> rehearse(Instrumentation instrumentation, Set<Class<?>> seen) throws IOException {
        var changed = new ArrayList<Class<?>>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (!seen.add(type)) continue;
            if (type.isArray() || type.isHidden() || !instrumentation.isModifiableClass(type)) continue;
            String name = internal(type.getName());
            boolean isEdited = isOfJdk(type.getModule()) && CodeEdits.knows(name);
            if (!isMoved(type.getModule(), name) && !isEdited) continue;
            byte[] bytes = bytesOrNull(type);
            PoolPatch pool = bytes == null ? null : new PoolPatch(bytes);
            if (pool == null
                    || move(type.getModule(), name, pool) != null
                    || (isEdited && CodeEdits.mayChange(name, pool))) changed.add(type);
        }
        return changed;
    }

    private static String internal(String name) {
        return name.replace('.', '/');
    }

    private static Class<?> define(Instrumentation instrumentation) throws IllegalAccessException, IOException {
        Module base = Object.class.getModule();
        Module here = Agent.class.getModule();
        if (!base.isOpen("java.lang", here))
            instrumentation.redefineModule(
                    base, Set.of(), Map.of(), Map.of("java.lang", Set.of(here)), Set.of(), Map.of());
        // for PlatformSocket
        instrumentation.redefineModule(base, Set.of(), Map.of("sun.net", Set.of(here)), Map.of(), Set.of(), Map.of());
        var lookup = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
        Class<?> hook = null;
        for (Class<?> type : COPIES) {
            Class<?> copy = lookup.defineClass(copy(type));
            if (hook == null) hook = copy;
        }
        return Objects.requireNonNull(hook);
    }

    private static byte[] copy(Class<?> type) throws IOException {
        byte[] bytes = bytesOrNull(type);
        if (bytes == null) throw new IOException("no class file of " + type);
        return new PoolPatch(bytes).rename(Agent::nameInJava);
    }

    private static String nameInJava(String text) {
        return text.replace(internal(Hook.class.getName()), internal(HOOK))
                .replace(internal(ThreadHook.class.getName()), internal(THREADS))
                .replace(internal(HostThread.class.getName()), "java/lang/TrueAsyncHostThread")
                .replace(internal(CarrierThread.class.getName()), "java/lang/Thread")
                .replace(internal(InternalContainer.class.getName()), "jdk/internal/vm/ThreadContainer")
                .replace(internal(InternalInterruptible.class.getName()), "sun/nio/ch/Interruptible")
                .replace(internal(InternalLocals.class.getName()), "java/lang/ThreadLocal$ThreadLocalMap")
                .replace(internal(InternalVM.class.getName()), "jdk/internal/misc/VM")
                .replace(internal(InternalUnsafe.class.getName()), "jdk/internal/misc/Unsafe");
    }

    private static byte @Nullable [] bytesOrNull(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(
                type.getName().substring(type.getPackageName().length() + 1) + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static boolean isOfJdk(Module module) {
        return module == Object.class.getModule();
    }

    /** True for a class of a module of the platform other than {@code java.base}. */
    private static boolean isOfPlatform(Module module) {
        if (!module.isNamed() || isOfJdk(module)) return false;
        String home = module.getName();
        return home.startsWith("java.") || home.startsWith("jdk.");
    }

    private static boolean isThreaded(Module module, String name) {
        return (isOfJdk(module) || isOfPlatform(module)) && startsWithOneOf(name, THREADED);
    }

    /** True for the classes of {@code java.base} and of the program, without exceptions. */
    private static boolean isVirtual(Module module, String name) {
        if (isOfPlatform(module)) return false;
        return !startsWithOneOf(name, REAL) || startsWithOneOf(name, VIRTUAL);
    }

    /** True if {@link #move} may change a class. */
    private static boolean isMoved(Module module, String name) {
        return isThreaded(module, name) || isVirtual(module, name);
    }

    /** Gives the methods of clocks and threads other classes; null if the class uses none of them. */
    private static byte @Nullable [] move(Module module, String name, PoolPatch pool) {
        boolean isThreaded = isThreaded(module, name);
        byte[] moved = pool.move(CLOCKS, internal(isThreaded ? THREADS : HOOK));
        if (isOfJdk(module) && !startsWithOneOf(name, ASKING)) return moved;
        byte[] both = (moved == null ? pool : new PoolPatch(moved)).move(OF_THREADS, internal(THREADS));
        return both == null ? moved : both;
    }

    private static boolean startsWithOneOf(String name, String[] prefixes) {
        for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
        return false;
    }

    @Override
    public byte @Nullable [] transform(
            Module module,
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (name == null) return null;
        boolean isMoved = isMoved(module, name);
        boolean isEdited = isOfJdk(module) && CodeEdits.knows(name);
        if (!isMoved && !isEdited) return null;
        try {
            var pool = new PoolPatch(bytes);
            byte[] moved = isMoved ? move(module, name, pool) : null;
            byte[] edited = isEdited ? CodeEdits.change(name, moved == null ? bytes : moved, pool) : null;
            return edited == null ? moved : edited;
        } catch (RuntimeException | LinkageError e) {
            return null; // the class stays as it is
        }
    }
}
