package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExportsTest {
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
    void module_exportsThreePackagesToEverybodyAndOpensNone() throws IOException {
        ModuleDescriptor module = descriptor();
        assertThat(module.exports().stream()
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("org.trueasync", "org.trueasync.io", "org.trueasync.spi");
        assertThat(module.exports()).noneMatch(ModuleDescriptor.Exports::isQualified);
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
