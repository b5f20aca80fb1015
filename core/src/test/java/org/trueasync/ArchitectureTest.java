package org.trueasync;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
    private static final JavaClasses CORE = CoreClasses.ALL;

    /** Below everything: whoever may know internals at all may know these. */
    static final List<String> BOTTOM =
            List.of("org.trueasync.internal.bridge", "org.trueasync.internal.error", "org.trueasync.internal.recorder");

    @Test
    void spi_knowsOfTheInternalsOnlyHowErrorsAreThrownAndMicrotasksQueued() {
        noClasses()
                .that()
                .resideInAPackage("org.trueasync.spi..")
                .and()
                .doNotHaveSimpleName("Events") // part of the facade
                .and()
                .doNotHaveSimpleName("RuntimeMonitor") // as well
                .should()
                .dependOnClassesThat(resideInAPackage("org.trueasync.internal..")
                        .and(not(resideInAnyPackage("org.trueasync.internal.error", "org.trueasync.internal.bridge"))))
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

    @Test
    void internals_areUsedByCoreOnly() {
        classes()
                .that()
                .resideInAPackage("org.trueasync.internal..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage("org.trueasync", "org.trueasync.spi", "org.trueasync.internal..")
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
                        "org\\.trueasync\\.internal\\.jdk\\.(VirtualThreads|ClosedPackages|ThreadLocks|Unparkers|SocketPolls|Epoll|Descriptors|Interrupts|OwnStack|PollersAtExit|PrivateAccess|ScopedBindings)(\\$.*)?")
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
