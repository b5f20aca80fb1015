package org.trueasync;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The kernel is to be read from top to bottom. The bounds only fall: whoever gets below one writes the new figure here.
 */
class KernelSizeTest {
    private static final int CLASSES = 50;
    private static final int PUBLIC_CLASSES = 16;

    /** So many each of which needs all others, directly or not. */
    private static final int IN_ONE_CIRCLE = 32;

    private static final String PACKAGE = "org.trueasync.internal.kernel";

    private static final JavaClasses KERNEL = CoreClasses.ALL.that(resideInAPackage(PACKAGE + ".."));

    /** A nested class counts as the one that it stands in. */
    private static String topLevel(JavaClass type) {
        return type.getName().substring(PACKAGE.length() + 1).replaceAll("\\$.*", "");
    }

    private static Set<String> all() {
        Set<String> all = KERNEL.stream().map(KernelSizeTest::topLevel).collect(Collectors.toCollection(TreeSet::new));
        all.remove("package-info");
        return all;
    }

    @Test
    void classes_becomeNoMore() {
        assertThat(all()).hasSizeLessThanOrEqualTo(CLASSES);
    }

    @Test
    void everyClass_isInAChapter() throws IOException {
        String page = Files.readString(Path.of("../docs/architecture/kernel.md"));
        String chapters = page.substring(page.indexOf("| chapter |"), page.indexOf("## Promises"));
        assertThat(all()).allSatisfy(name -> assertThat(chapters).contains("`" + name + "`"));
    }

    @Test
    void classesThatOthersSee_becomeNoMore() {
        List<String> open = KERNEL.stream()
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(KernelSizeTest::topLevel)
                .toList();
        assertThat(open).hasSizeLessThanOrEqualTo(PUBLIC_CLASSES);
    }

    @Test
    void classesThatNeedEachOther_becomeNoMore() {
        assertThat(PackageGraph.of(KERNEL, KernelSizeTest::topLevel).circles())
                .allSatisfy(circle -> assertThat(circle).hasSizeLessThanOrEqualTo(IN_ONE_CIRCLE));
    }
}
