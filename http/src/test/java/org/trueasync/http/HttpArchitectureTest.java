package org.trueasync.http;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which package of the module may know which, and what of core. */
class HttpArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter().importPath(Path.of("target/classes"));

    /** Who is running and where, the loop, and the scopes of servers and requests. */
    private static final Set<String> DOORS =
            Set.of("Runtimes", "Loop", "CoroutineImpl", "CoroutineScope", "ScopeExtras", "ErrorHandler");

    @Test
    void packages_formNoCircles() {
        slices().matching("org.trueasync.internal.http.(*)..")
                .should()
                .beFreeOfCycles()
                .check(OURS);
    }

    @Test
    void internals_doNotKnowThePublicPackage() {
        noClasses()
                .that()
                .resideInAPackage("org.trueasync.internal.http..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.trueasync.http..")
                .check(OURS);
    }

    @Test
    void protocolsAndClient_doNotKnowTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "org.trueasync.http",
                        "org.trueasync.internal.http.server",
                        "org.trueasync.internal.http.files",
                        "org.trueasync.internal.http.jdk")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.trueasync.internal.http.server")
                .check(OURS);
    }

    @Test
    void serverApiOfTheJdk_isKnownByItsProviderAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.trueasync.internal.http.jdk")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.sun.net.httpserver..", "org.trueasync.internal.http.jdk")
                .because("a JVM may lack the JDK's module of it")
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
