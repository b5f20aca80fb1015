package org.trueasync;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.trueasync");

    /** Below everything: whoever may know internals at all may know these. */
    static final List<String> BOTTOM = List.of(
            "org.trueasync.internal.error",
            "org.trueasync.internal.list",
            "org.trueasync.internal.machine",
            "org.trueasync.internal.microtask",
            "org.trueasync.internal.owner",
            "org.trueasync.internal.recorder",
            "org.trueasync.internal.site",
            "org.trueasync.internal.text",
            "org.trueasync.internal.unobserved");

    /** Where I/O is at home. */
    private static final String[] IO = {
        "org.trueasync.io..",
        "org.trueasync.internal.dns..",
        "org.trueasync.internal.file..",
        "org.trueasync.internal.io..",
        "org.trueasync.internal.process..",
        "org.trueasync.internal.signal..",
        "org.trueasync.internal.source..",
        "org.trueasync.internal.streams..",
        "org.trueasync.internal.tls..",
        "org.trueasync.internal.watch.."
    };

    /** Who is running and where, the loop, a wait. */
    private static final Set<String> DOORS = Set.of("Runtimes", "Loop", "CoroutineImpl");

    @Test
    void spi_knowsOfTheInternalsOnlyHowErrorsAreThrownAndMicrotasksQueued() {
        noClasses()
                .that()
                .resideInAPackage("org.trueasync.spi..")
                .and()
                .doNotHaveSimpleName("Events") // part of the facade
                .should()
                .dependOnClassesThat(resideInAPackage("org.trueasync.internal..")
                        .and(not(resideInAnyPackage(
                                "org.trueasync.internal.error", "org.trueasync.internal.microtask"))))
                .check(CORE);
    }

    @Test
    void bottomPackages_dependOnTheJdkAlone() {
        for (String bottom : BOTTOM) {
            classes()
                    .that()
                    .resideInAPackage(bottom)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage("java..", "jdk.jfr..", "org.jspecify..", bottom)
                    .check(CORE);
        }
    }

    /**
     * As if I/O were a module of its own. Signatures of the API name its signals, and those of the SPI its programs; a
     * run begins with the standard streams.
     */
    @Test
    void ioClasses_areKnownToTheFacadeAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages(IO)
                .and()
                .haveNameNotMatching(
                        "org\\.trueasync\\.(AsyncRuntime|internal\\.run\\.WatchedRun|spi\\.Events)(\\$.*|Provider)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(IO)
                .check(CORE);
    }

    @Test
    void ioClasses_knowOfTheKernelOnlyTheLoopAndTheWait() {
        noClasses()
                .that()
                .resideInAnyPackage(IO)
                .should()
                .dependOnClassesThat(resideInAPackage("org.trueasync.internal.kernel..")
                        .and(describe("are not among its doors", c -> !DOORS.contains(c.getSimpleName()))))
                .check(CORE);
    }

    @Test
    void internals_areUsedByCoreOnly() {
        classes()
                .that()
                .resideInAPackage("org.trueasync.internal..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage(
                        "org.trueasync", "org.trueasync.io", "org.trueasync.spi", "org.trueasync.internal..")
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
    void privateAccessToTheJdk_isInFewClasses() {
        noClasses()
                .that()
                .haveNameNotMatching(
                        "org\\.trueasync\\.internal\\.(jdk\\.(VirtualThreads|ClosedPackages|ThreadLocks|TimedParks|SocketPolls|Epoll|Descriptors|Interrupts|PollersAtExit|ScopedBindings)|streams\\.StartedProcesses)(\\$.*)?")
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
    void sharedPackages_doNotKnowTheApiEntryPoint() {
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
