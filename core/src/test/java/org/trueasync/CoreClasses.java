package org.trueasync;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** Core's classes, for all tests of their structure in a JVM: reading them takes seconds. */
final class CoreClasses {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.trueasync");

    private CoreClasses() {}
}
