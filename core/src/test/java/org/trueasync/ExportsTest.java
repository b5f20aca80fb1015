package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExportsTest {
    /** The modules that stand on the internals of core. */
    private static final Set<String> OURS = Set.of(
            "org.trueasync.io",
            "org.trueasync.diagnostics",
            "org.trueasync.grpc",
            "org.trueasync.http",
            "org.trueasync.launcher",
            "org.trueasync.testkit");

    private static ModuleDescriptor descriptor() throws IOException {
        Path root;
        try {
            root = Path.of(Async.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (java.net.URISyntaxException e) {
            throw new AssertionError(e);
        }
        try (InputStream in = Files.newInputStream(root.resolve("module-info.class"))) {
            return ModuleDescriptor.read(in);
        }
    }

    @Test
    void module_exportsTwoPackagesToEverybodyAndOpensNone() throws IOException {
        ModuleDescriptor module = descriptor();
        Map<Boolean, List<ModuleDescriptor.Exports>> exports =
                module.exports().stream().collect(Collectors.partitioningBy(ModuleDescriptor.Exports::isQualified));
        assertThat(exports.get(false).stream().map(ModuleDescriptor.Exports::source))
                .containsExactlyInAnyOrder("org.trueasync", "org.trueasync.spi");
        assertThat(exports.get(true)).allSatisfy(internal -> {
            assertThat(internal.source()).startsWith("org.trueasync.internal.");
            assertThat(OURS).containsAll(internal.targets());
        });
        assertThat(exports.get(true).stream()
                        .filter(internal -> internal.targets().contains("org.trueasync.launcher"))
                        .map(ModuleDescriptor.Exports::source))
                .containsExactlyInAnyOrder("org.trueasync.internal.error", "org.trueasync.internal.run");
        assertThat(module.opens()).isEmpty();
        assertThat(module.isOpen()).isFalse();
    }

    @Test
    void module_needsNothingButJavaBaseAtRunTime() throws IOException {
        assertThat(descriptor().requires().stream()
                        .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                        .map(ModuleDescriptor.Requires::name))
                .containsExactly("java.base");
    }
}
