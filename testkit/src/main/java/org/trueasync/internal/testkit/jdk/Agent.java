package org.trueasync.internal.testkit.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Has {@code java.base} and the program call {@link Hook} in place of the JDK's clocks and sources of chance. Classes of
 * TrueAsync itself go on to see real time, except those that stand in a user's place: they know both.
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
     * the thread reads. And what the JVM itself needs.
     */
    private static final List<String> REAL = List.of(
            "java/lang/System",
            "java/lang/Math",
            "java/util/Timer",
            "java/util/concurrent/ScheduledThreadPoolExecutor",
            "java/util/concurrent/DelayScheduler",
            "sun/security/",
            "jdk/",
            "org/trueasync/");

    /** Of the above, what is to see virtual time. */
    private static final List<String> VIRTUAL = List.of(
            "jdk/internal/misc/ThreadFlock",
            "org/trueasync/http/",
            "org/trueasync/internal/http/",
            "org/trueasync/jdbc/",
            "org/trueasync/internal/jdbc/",
            "org/trueasync/examples/");

    private Agent() {}

    /** Called by the JVM before {@code main}. */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        agentmain(options, instrumentation);
    }

    /** Called by the JVM when the agent begins later. */
    public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
        try {
            define(instrumentation);
            var agent = new Agent();
            instrumentation.addTransformer(agent, true);
            var changed = new ArrayList<Class<?>>();
            for (Class<?> type : instrumentation.getAllLoadedClasses()) {
                if (!type.isArray() && instrumentation.isModifiableClass(type) && isChanged(type)) changed.add(type);
            }
            instrumentation.retransformClasses(changed.toArray(new Class<?>[0]));
        } catch (Exception e) {
            throw new IllegalStateException("the JDK's clocks can't be made virtual", e);
        }
    }

    private static String internal(String name) {
        return name.replace('.', '/');
    }

    private static void define(Instrumentation instrumentation) throws IllegalAccessException {
        Module base = Object.class.getModule();
        Module here = Agent.class.getModule();
        if (!base.isOpen("java.lang", here))
            instrumentation.redefineModule(
                    base, Set.of(), Map.of(), Map.of("java.lang", Set.of(here)), Set.of(), Map.of());
        var lookup = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
        for (Class<?> type : List.of(Hook.class, HookTask.class))
            lookup.defineClass(new PoolPatch(bytes(type)).rename(Agent::nameInJava));
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

    private static byte[] bytes(Class<?> type) {
        try {
            byte[] bytes = bytesOrNull(type);
            if (bytes == null) throw new IllegalStateException("no class file of " + type);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isChanged(Class<?> type) throws IOException {
        String name = internal(type.getName());
        if (type.getModule() != Object.class.getModule()) return isVirtual(type.getModule(), name);
        byte[] bytes = bytesOrNull(type);
        if (bytes == null) return false;
        var pool = new PoolPatch(bytes);
        return CodeEdits.mayChange(name, pool)
                || isVirtual(type.getModule(), name) && pool.move(STATICS, HOOK_NAME) != null;
    }

    /** True for the classes of {@code java.base} and of the program, without exceptions. */
    private static boolean isVirtual(Module module, String name) {
        if (module.isNamed() && module != Object.class.getModule()) {
            String home = module.getName();
            if (home.startsWith("java.") || home.startsWith("jdk.")) return false;
        }
        return REAL.stream().noneMatch(name::startsWith) || VIRTUAL.stream().anyMatch(name::startsWith);
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
        boolean isOfJdk = module == Object.class.getModule();
        if (!isVirtual && !isOfJdk) return null;
        try {
            var pool = new PoolPatch(bytes);
            byte[] moved = isVirtual ? pool.move(STATICS, HOOK_NAME) : null;
            byte[] edited = isOfJdk ? CodeEdits.change(name, moved == null ? bytes : moved, pool) : null;
            return edited == null ? moved : edited;
        } catch (RuntimeException e) {
            return null; // the JVM would ignore it too
        }
    }
}
