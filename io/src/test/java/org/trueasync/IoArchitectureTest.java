package org.trueasync;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which package of the module of I/O may know which, and what of core. */
class IoArchitectureTest {
    private static final Path CLASSES = Path.of("target/classes");
    private static final JavaClasses OURS = new ClassFileImporter().importPath(CLASSES);

    /** Who is running and where, the loop, a wait. */
    private static final Set<String> DOORS = Set.of("Runtimes", "Loop", "CoroutineImpl");

    @Test
    void packages_formNoCircles() {
        var bottom = new HashSet<>(ArchitectureTest.BOTTOM);
        bottom.add("org.trueasync.internal.text");
        assertThat(PackageGraph.of(OURS, new ApiLayers(OURS, bottom)::part).circles())
                .isEmpty();
    }

    @Test
    void kernel_isKnownByItsDoorsAlone() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("org.trueasync.internal.kernel..")
                        .and(describe("are not among its doors", c -> !DOORS.contains(c.getSimpleName()))))
                .check(OURS);
    }

    @Test
    void apiEntryPoint_isNotUsed() {
        noClasses()
                .that()
                .doNotHaveSimpleName("Relay") // written as a program would write it
                .and()
                .doNotHaveSimpleName("Interval")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.trueasync.Async")
                .check(OURS);
    }

    @Test
    void privateAccessToTheJdk_isCores() {
        noClasses()
                .should()
                .callMethodWhere(describe(
                        "opens what is private",
                        (JavaMethodCall call) -> call.getName().equals("privateLookupIn")
                                || call.getName().equals("setAccessible")
                                || call.getName().equals("trySetAccessible")))
                .check(OURS);
    }

    @Test
    void foreignMemory_isNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(OURS);
    }

    @Test
    void module_exportsOnePackageAndNeedsCoreAlone() throws IOException {
        ModuleDescriptor module;
        try (InputStream in = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(in);
        }
        assertThat(module.exports().stream().map(ModuleDescriptor.Exports::source))
                .containsExactly("org.trueasync.io");
        assertThat(module.opens()).isEmpty();
        assertThat(module.requires().stream()
                        .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                        .map(ModuleDescriptor.Requires::name))
                .containsExactlyInAnyOrder("java.base", "org.trueasync");
    }
}
