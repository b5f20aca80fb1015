package org.trueasync.library;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for {@code --add-opens java.base/java.lang=...} where that flag can't be given: {@code -javaagent:} with
 * this jar. It opens the package to the module whose class needs it, as that is loaded: on the class path, on the
 * module path, in a container's own class loader. Nothing else is opened, and no class is changed.
 */
public final class Agent implements ClassFileTransformer {
    /** Whose classes look into {@code java.lang}. A text, as core may be on another class loader, in a container's. */
    private static final String PACKAGE = "org/trueasync/internal/jdk/";

    private final Instrumentation instrumentation;

    private Agent(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Called by the JVM before {@code main}. */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Agent(instrumentation));
    }

    @Override
    public byte @Nullable [] transform(
            Module module,
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        Module base = Object.class.getModule();
        if (name != null && name.startsWith(PACKAGE) && !base.isOpen("java.lang", module)) {
            Map<String, Set<Module>> opened = Map.of("java.lang", Set.of(module));
            instrumentation.redefineModule(base, Set.of(), Map.of(), opened, Set.of(), Map.of());
        }
        return null;
    }
}
