package org.trueasync.launcher;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.internal.error.Causes;

/**
 * Does what the JDK's own launcher does for a program with internal methods. The package {@code java.lang} is open to
 * this module, and with it the methods that open other packages.
 */
final class JdkAccess {
    private JdkAccess() {}

    /**
     * Exports or opens a package to all unnamed modules, for a jar's {@code Add-Exports} and {@code Add-Opens}. An
     * unknown module or package is ignored, as by {@code java}.
     *
     * @param open true to open it, false to export it only
     */
    static void addToAllUnnamed(String module, String packageName, boolean open) throws UsageException {
        Module found = ModuleLayer.boot().findModule(module).orElse(null);
        if (found == null || !found.getPackages().contains(packageName)) return;
        invoke(open ? "implAddOpensToAllUnnamed" : "implAddExportsToAllUnnamed", found, packageName);
    }

    /** For the test kit, which is among the program's classes: the JDK's clocks, and what its module may see. */
    static void addForTestKit() throws UsageException {
        addToAllUnnamed("java.base", "java.lang", true);
        for (Module module : ModuleLayer.boot().modules()) {
            for (var exported : module.getDescriptor().exports())
                if (exported.targets().contains("org.trueasync.testkit"))
                    addToAllUnnamed(module.getName(), exported.source(), false);
        }
    }

    /**
     * Lets all unnamed modules call native code without a warning, for a jar's
     * {@code Enable-Native-Access: ALL-UNNAMED}.
     */
    static void enableNativeAccess() throws UsageException {
        exportToUs(Object.class.getModule(), "jdk.internal.module");
        try {
            Class.forName("jdk.internal.module.Modules")
                    .getMethod("addEnableNativeAccessToAllUnnamed")
                    .invoke(null);
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /**
     * Starts the agent in a jar, for its {@code Launcher-Agent-Class}.
     *
     * @throws UsageException if the agent fails
     */
    static void startAgent(String jar) throws UsageException {
        Module instrument = ModuleLayer.boot().findModule("java.instrument").orElse(null);
        if (instrument == null) return;
        Class<?> starter = Class.forName(instrument, "sun.instrument.InstrumentationImpl");
        exportToUs(instrument, "sun.instrument");
        try {
            starter.getMethod("loadAgent", String.class).invoke(null, jar);
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            throw new UsageException("the agent in " + jar + " (Launcher-Agent-Class) failed: "
                    + Causes.text(thrown == null ? e : thrown));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /**
     * Makes a loader the one that {@link ClassLoader#getSystemClassLoader} returns. The JVM itself keeps its own.
     * Nothing changes if {@code java.lang} is not open to us: in a JVM that the command has not started.
     */
    static void setSystemClassLoader(ClassLoader loader) {
        try {
            // reflection hides the fields of ClassLoader, method handles don't
            MethodHandles.privateLookupIn(ClassLoader.class, MethodHandles.lookup())
                    .findStaticVarHandle(ClassLoader.class, "scl", ClassLoader.class)
                    .set(loader);
        } catch (ReflectiveOperationException closed) {
            // the context class loader still leads to the program
        }
    }

    /** True if the JVM runs with {@code --enable-preview}. */
    static boolean previewEnabled() {
        try {
            exportToUs(Object.class.getModule(), "jdk.internal.misc");
            return (boolean) Class.forName("jdk.internal.misc.PreviewFeatures")
                    .getMethod("isEnabled")
                    .invoke(null);
        } catch (UsageException | ReflectiveOperationException unknown) {
            // a program without preview features compiles anyway
            return false;
        }
    }

    /** The flags that this JVM was started with, without those about its class path and its main class. */
    static List<String> flags() {
        try {
            exportToUs(Object.class.getModule(), "jdk.internal.misc");
            String[] all = (String[]) Class.forName("jdk.internal.misc.VM")
                    .getMethod("getRuntimeArguments")
                    .invoke(null);
            return Stream.of(all)
                    .filter(flag -> !flag.startsWith("-Djdk.module.main"))
                    .toList();
        } catch (UsageException | ReflectiveOperationException unknown) {
            return List.of();
        }
    }

    private static void exportToUs(Module module, String packageName) throws UsageException {
        invoke("implAddExports", module, packageName, JdkAccess.class.getModule());
    }

    private static void invoke(String name, Module on, Object... arguments) throws UsageException {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < types.length; i++) types[i] = arguments[i].getClass();
        try {
            Method method = Module.class.getDeclaredMethod(name, types);
            method.setAccessible(true);
            method.invoke(on, arguments);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw refused(e);
        }
    }

    private static UsageException refused(Exception reason) {
        return new UsageException("the jar's manifest asks for what this JVM refuses us (JDK "
                + Runtime.version().feature() + "; use the trueasync command): " + reason);
    }
}
