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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Has {@code java.base} and the program call {@link Hook} in place of the JDK's clocks and sources of chance. Classes
 * of TrueAsync itself go on to see real time, except those that stand in a user's place: they know both.
 */
public final class Agent implements ClassFileTransformer {
    /** Where the copy of {@link Hook} is. */
    static final String HOOK = "java.lang.TrueAsyncTime";

    private static final String HOOK_NAME = internal(HOOK);

    /** The class that has a method, by name and descriptor. */
    private static final Map<String, String> STATICS = Map.of(
            "nanoTime()J", "java/lang/System",
            "currentTimeMillis()J", "java/lang/System",
            "getNanoTimeAdjustment(J)J", "jdk/internal/misc/VM",
            "random()D", "java/lang/Math",
            "seedUniquifier()J", "java/util/Random");

    /**
     * What sees real time. Timers with a thread of their own: a time that the caller reads is compared with one that
     * the thread reads. What the JVM itself needs. Packages that read no clock, as a look into them costs time.
     */
    private static final String[] REAL = {
        "java/io/",
        "java/lang/",
        "java/nio/",
        "java/security/",
        "java/util/Timer",
        "java/util/concurrent/DelayScheduler",
        "java/util/concurrent/ScheduledThreadPoolExecutor",
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
            boolean isVirtual = isVirtual(type.getModule(), name);
            boolean isEdited = isOfJdk(type.getModule()) && CodeEdits.knows(name);
            if (!isVirtual && !isEdited) continue;
            byte[] bytes = bytesOrNull(type);
            PoolPatch pool = bytes == null ? null : new PoolPatch(bytes);
            if (pool == null
                    || (isVirtual && pool.move(STATICS, HOOK_NAME) != null)
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
        Class<?> hook = lookup.defineClass(copy(Hook.class));
        lookup.defineClass(copy(HookTask.class));
        return hook;
    }

    private static byte[] copy(Class<?> type) throws IOException {
        byte[] bytes = bytesOrNull(type);
        if (bytes == null) throw new IOException("no class file of " + type);
        return new PoolPatch(bytes).rename(Agent::nameInJava);
    }

    private static String nameInJava(String text) {
        return text.replace(internal(Hook.class.getName()), HOOK_NAME)
                .replace(internal(CarrierThread.class.getName()), "java/lang/Thread")
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

    /** True for the classes of {@code java.base} and of the program, without exceptions. */
    private static boolean isVirtual(Module module, String name) {
        if (module.isNamed() && !isOfJdk(module)) {
            String home = module.getName();
            if (home.startsWith("java.") || home.startsWith("jdk.")) return false;
        }
        return !startsWithOneOf(name, REAL) || startsWithOneOf(name, VIRTUAL);
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
        boolean isVirtual = isVirtual(module, name);
        boolean isEdited = isOfJdk(module) && CodeEdits.knows(name);
        if (!isVirtual && !isEdited) return null;
        try {
            var pool = new PoolPatch(bytes);
            byte[] moved = isVirtual ? pool.move(STATICS, HOOK_NAME) : null;
            byte[] edited = isEdited ? CodeEdits.change(name, moved == null ? bytes : moved, pool) : null;
            return edited == null ? moved : edited;
        } catch (RuntimeException | LinkageError e) {
            return null; // the class stays as it is
        }
    }
}
