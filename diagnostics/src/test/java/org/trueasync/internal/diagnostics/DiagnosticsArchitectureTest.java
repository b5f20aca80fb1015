package org.trueasync.internal.diagnostics;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class DiagnosticsArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPath(Path.of("target/classes"));

    @Test
    void packages_formNoCircles() {
        slices().matching("org.trueasync.internal.(*)..")
                .should()
                .beFreeOfCycles()
                .check(OURS);
    }

    @Test
    void observers_seeOfTheApiOnlyWhatTheKernelSees() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.trueasync.Async")
                .check(OURS);
    }
}
