package org.trueasync.grpc;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the module knows of core, of the HTTP server and of grpc-java. */
class GrpcArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter().importPath(Path.of("target/classes"));

    /** On which loop the caller is. */
    private static final Set<String> DOORS = Set.of("Runtimes", "Loop");

    @Test
    void publicApisAlone_areUsed() {
        classes()
                .that()
                .resideInAPackage("org.trueasync..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.net.ssl",
                        "io.grpc",
                        "org.jspecify..",
                        "org.trueasync",
                        "org.trueasync.http",
                        "org.trueasync.grpc",
                        "org.trueasync.internal.grpc",
                        "org.trueasync.internal.kernel",
                        "org.trueasync.spi")
                .check(OURS);
    }

    @Test
    void kernel_isKnownByItsDoorsAlone() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("org.trueasync.internal.kernel..")
                        .and(describe("are not among its doors", c -> !DOORS.contains(c.getSimpleName()))))
                .check(OURS);
    }
}
