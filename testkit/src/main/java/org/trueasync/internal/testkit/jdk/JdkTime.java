package org.trueasync.internal.testkit.jdk;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Puts threads into virtual time, for the JDK and the program. Starts the {@link Agent} if it is not there yet; where
 * this JVM refuses that, the JDK's clocks stay real.
 */
public final class JdkTime {
    /** The system property that, as false, leaves the JDK's clocks real. */
    public static final String PROPERTY = "org.trueasync.testkit.jdkTime";

    private static final @Nullable MethodHandle ENTER;
    private static final @Nullable MethodHandle LEAVE;
    private static final @Nullable MethodHandle SIMULATE;
    private static final @Nullable MethodHandle AWAIT_THREADS;
    private static final @Nullable MethodHandle THREADS;
    private static final @Nullable MethodHandle CURRENT;

    static {
        MethodHandle enter = null;
        MethodHandle leave = null;
        MethodHandle simulate = null;
        MethodHandle awaitThreads = null;
        MethodHandle threads = null;
        MethodHandle current = null;
        try {
            Class<?> hook = hook();
            if (hook != null) {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                MethodType sources = MethodType.methodType(
                        void.class,
                        LongSupplier.class,
                        LongSupplier.class,
                        LongConsumer.class,
                        LongSupplier.class,
                        Consumer.class,
                        Predicate.class);
                MethodType doors = MethodType.methodType(
                        void.class, Supplier.class, Function.class, Function.class, Function.class);
                leave = lookup.findStatic(hook, "leave", MethodType.methodType(List.class));
                Class<?> ofThreads = Class.forName(Agent.THREADS, true, null);
                awaitThreads = lookup.findStatic(ofThreads, "awaitThreads", MethodType.methodType(void.class));
                current = lookup.findStatic(ofThreads, "currentThread", MethodType.methodType(Thread.class));
                threads = lookup.findStatic(ofThreads, "threads", MethodType.methodType(List.class));
                simulate = lookup.findStatic(hook, "simulate", doors);
                enter = lookup.findStatic(hook, "enter", sources);
            } else if (!isUnwanted()) {
                tell(null);
            }
        } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError refused) {
            enter = null;
            tell(refused);
        }
        ENTER = enter;
        LEAVE = enter == null ? null : leave;
        SIMULATE = enter == null ? null : simulate;
        AWAIT_THREADS = enter == null ? null : awaitThreads;
        THREADS = enter == null ? null : threads;
        CURRENT = enter == null ? null : current;
    }

    private JdkTime() {}

    private static @Nullable Class<?> hook() throws ReflectiveOperationException, IOException {
        if (isUnwanted()) return null;
        Class<?> hook = hookOrNull();
        if (hook != null) return hook;
        startAgent();
        return hookOrNull();
    }

    private static boolean isUnwanted() {
        return "false".equals(System.getProperty(PROPERTY));
    }

    private static void tell(@Nullable Throwable refused) {
        System.getLogger("org.trueasync")
                .log(
                        System.Logger.Level.WARNING,
                        "the test kit's agent could not start, so the JDK's clocks, waits and random numbers stay real"
                                + " in virtual time; -javaagent:trueasync-testkit.jar starts it, -D" + PROPERTY
                                + "=false says that this is meant",
                        refused);
    }

    private static @Nullable Class<?> hookOrNull() {
        try {
            Class<?> hook = Class.forName(Agent.HOOK, true, null);
            return (boolean) hook.getMethod("hasBegun").invoke(null) ? hook : null;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /**
     * Starts the agent as {@code java -jar} does for a manifest with a {@code Launcher-Agent-Class}: the JVM warns of
     * agents that attach, not of these.
     */
    private static void startAgent() throws ReflectiveOperationException, IOException {
        String name = Agent.class.getName();
        if (ClassLoader.getSystemClassLoader().loadClass(name) != Agent.class) return;
        Module instrument = ModuleLayer.boot().findModule("java.instrument").orElse(null);
        if (instrument == null) return;
        Method export = Module.class.getDeclaredMethod("implAddExports", String.class, Module.class);
        export.setAccessible(true);
        export.invoke(instrument, "sun.instrument", JdkTime.class.getModule());
        // a name of our own: createTempFile would load all that SecureRandom needs
        String unique = ProcessHandle.current().pid() + "-" + System.nanoTime();
        Path jar = Path.of(System.getProperty("java.io.tmpdir"), "trueasync-agent-" + unique + ".jar");
        try {
            var manifest = new Manifest();
            Attributes attributes = manifest.getMainAttributes();
            attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
            attributes.put(new Attributes.Name("Launcher-Agent-Class"), name);
            attributes.put(new Attributes.Name("Can-Retransform-Classes"), "true");
            try (OutputStream out = Files.newOutputStream(jar, StandardOpenOption.CREATE_NEW)) {
                new JarOutputStream(out, manifest).close();
            }
            Class.forName(instrument, "sun.instrument.InstrumentationImpl")
                    .getMethod("loadAgent", String.class)
                    .invoke(null, jar.toString());
        } finally {
            Files.deleteIfExists(jar);
        }
    }

    /** True if {@link #enter} has an effect. */
    public static boolean isThere() {
        return ENTER != null;
    }

    /**
     * Puts the calling thread, and the virtual threads on it, into virtual time, until {@link #leave}.
     *
     * @param clock nanoseconds, never 0, for which the JDK has a meaning of its own
     * @param date nanoseconds since 1970
     * @param advance lets nanoseconds pass
     * @param chance random numbers; each of the four is called on this thread, also by class loading
     * @param monitors asked to {@link Monitors#handOn} before the time jumps
     */
    public static void enter(
            LongSupplier clock, LongSupplier date, LongConsumer advance, LongSupplier chance, Monitors monitors) {
        Consumer<Thread> leaves = monitors::leaves;
        Predicate<Thread> goesOn = monitors::goesOn;
        call(ENTER, clock, date, advance, chance, leaves, goesOn);
    }

    /**
     * Gives the run that the calling thread has entered files, sockets and names of its own. Each answers null where
     * the real ones are meant.
     *
     * @param hosts the host whose loop runs now: it tells whether it is no more; null for none
     * @param files who serves a path
     * @param sockets what is below a new socket of a class; for datagrams a factory; for channels their provider
     * @param names the addresses of a {@code String}, none if it is unknown; this host's if it is empty; or an
     *     {@code InetAddress} under its name
     */
    public static void simulate(
            Supplier<@Nullable BooleanSupplier> hosts,
            Function<Path, @Nullable FileSystemProvider> files,
            Function<Class<?>, @Nullable Object> sockets,
            Function<Object, InetAddress @Nullable []> names) {
        call(SIMULATE, hosts, files, sockets, names);
    }

    /** Waits until the threads of the caller's host have ended that are no daemons. In its coroutine. */
    public static void awaitThreads() throws InterruptedException {
        if (AWAIT_THREADS == null) return;
        try {
            AWAIT_THREADS.invoke();
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Bug in TrueAsync: the threads of a host", e);
        }
    }

    /** True on a thread that the program takes for a platform thread, although it is a virtual one of its host. */
    public static boolean isOnPlatformThread() {
        return CURRENT != null && call(CURRENT) != Thread.currentThread();
    }

    /** The platform threads of the host whose loop runs here, for people. */
    @SuppressWarnings("unchecked")
    public static List<String> threads() {
        Object threads = call(THREADS);
        return threads == null ? List.of() : (List<String>) threads;
    }

    /**
     * Takes the calling thread out again.
     *
     * @return the places where something went on outside of the run, at most 50; each says what
     */
    @SuppressWarnings("unchecked")
    public static List<Throwable> leave() {
        Object escapes = call(LEAVE);
        return escapes == null ? List.of() : (List<Throwable>) escapes;
    }

    private static @Nullable Object call(@Nullable MethodHandle method, Object... arguments) {
        if (method == null) return null;
        try {
            return method.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException("Bug in TrueAsync: the JDK's clocks", e);
        }
    }
}
