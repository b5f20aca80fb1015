package org.trueasync;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.trueasync");

    @Test
    void spi_doesNotKnowTheInternals() {
        noClasses()
                .that()
                .resideInAPackage("org.trueasync.spi..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.trueasync.internal..")
                .check(CORE);
    }

    @Test
    void list_dependsOnTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage("org.trueasync.internal.list..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", "org.trueasync.internal.list..")
                .check(CORE);
    }

    @Test
    void spi_doesNotKnowTheIoClasses() {
        noClasses()
                .that()
                .resideInAPackage("org.trueasync.spi..")
                .and()
                .haveNameNotMatching("org\\.trueasync\\.spi\\.Events(Provider)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.trueasync.io..")
                .check(CORE);
    }

    @Test
    void kernel_doesNotKnowTheIoClasses() {
        noClasses()
                .that()
                .resideInAPackage("org.trueasync.internal.kernel..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.trueasync.io..", "org.trueasync.internal.io..")
                .check(CORE);
    }

    @Test
    void internals_areUsedByCoreOnly() {
        classes()
                .that()
                .resideInAPackage("org.trueasync.internal..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage("org.trueasync", "org.trueasync.io", "org.trueasync.internal..")
                .check(CORE);
    }

    @Test
    void foreignMemory_isNotUsedInCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(CORE);
    }

    @Test
    void privateAccessToTheJdk_isInFourClasses() {
        noClasses()
                .that()
                .haveNameNotMatching(
                        "org\\.trueasync\\.internal\\.(kernel\\.(VirtualThreads|ThreadLocks|Interrupts)|streams\\.StartedProcesses)(\\$.*)?")
                .should()
                .callMethodWhere(describe(
                        "opens what is private",
                        (JavaMethodCall call) -> call.getName().equals("privateLookupIn")
                                || call.getName().equals("setAccessible")
                                || call.getName().equals("trySetAccessible")))
                .orShould()
                .callMethodWhere(describe(
                        "looks a class up by name",
                        (JavaMethodCall call) ->
                                call.getTargetOwner().getFullName().equals("java.lang.Class")
                                        && call.getName().equals("forName")))
                .check(CORE);
    }

    @Test
    void sharedRooms_doNotKnowTheApiEntryPoint() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.trueasync.internal.kernel..", "org.trueasync.internal.time..", "org.trueasync.spi..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.trueasync.Async")
                .check(CORE);
    }
}
