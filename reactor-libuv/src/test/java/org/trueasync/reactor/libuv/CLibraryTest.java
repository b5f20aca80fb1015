package org.trueasync.reactor.libuv;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.foreign.Linker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where the functions of the C library come from. */
@Tag("K67")
class CLibraryTest {
    @Test
    @Tag("deep")
    void jdksLookup_isNotUsedAsItMayFindNothingForEverOnceMemoryRanOut() {
        noClasses()
                .should()
                .callMethod(Linker.class, "defaultLookup")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackagesOf(UvLibrary.class));
    }

    @Test
    void libuvsSymbols_includeTheCLibrarys() {
        var jdks = Linker.nativeLinker().defaultLookup();
        for (String name : new String[] {"malloc", "free", "close", "sigaction", "fcntl", "posix_spawn"}) {
            assertThat(UvLibrary.symbols().find(name)).as(name).isEqualTo(jdks.find(name));
        }
    }
}
