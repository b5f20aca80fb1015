package org.trueasync;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The kernel is to be read from top to bottom, chapter by chapter. The bounds only fall: whoever gets below one writes
 * the new figure here.
 */
class KernelSizeTest {
    /** Lines of code by chapter: neither empty ones, nor comments, nor imports. */
    private static final Map<String, Integer> LINES = Map.of(
            "the tick", 966,
            "stacks", 285,
            "waits", 729,
            "the coroutine", 1_364,
            "scopes", 607,
            "errors", 289,
            "service and end", 554,
            "doors", 330,
            "observers", 555);

    private static final Set<String> BELOW = Set.of("the tick", "stacks", "waits", "the coroutine");
    private static final Set<String> ABOVE = Set.of("scopes", "errors");

    /** Of scopes and errors, used by the chapters that are to be read before them. */
    private static final int MEMBERS_USED_FROM_BELOW = 31;

    private static final int PUBLIC_CLASSES = 16;

    /** So many each of which needs all others, directly or not. */
    private static final int IN_ONE_CIRCLE = 32;

    private static final String PACKAGE = "org.trueasync.internal.kernel";

    private static final JavaClasses KERNEL = CoreClasses.ALL.that(resideInAPackage(PACKAGE + ".."));

    private static final Map<String, String> CHAPTERS = chapters();

    /** The chapter of each class, as the page of the kernel says. */
    private static Map<String, String> chapters() {
        var chapters = new TreeMap<String, String>();
        try (Stream<String> lines = Files.lines(Path.of("../docs/architecture/kernel.md"))) {
            lines.filter(line -> line.startsWith("| ")).forEach(line -> {
                String[] cells = line.split("\\|");
                if (!LINES.containsKey(cells[1].strip())) return;
                Pattern.compile("`(\\w+)`")
                        .matcher(cells[2])
                        .results()
                        .forEach(found -> chapters.put(found.group(1), cells[1].strip()));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return chapters;
    }

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
    void everyClass_isInAChapter() {
        assertThat(all()).allSatisfy(name -> assertThat(CHAPTERS).containsKey(name));
    }

    @Test
    void chapters_becomeNoLonger() throws IOException {
        var lines = new TreeMap<String, Integer>();
        for (String name : all()) lines.merge(CHAPTERS.get(name), codeLines(name), Integer::sum);
        lines.entrySet().removeIf(chapter -> chapter.getValue() <= LINES.get(chapter.getKey()));
        assertThat(lines).as("longer than their bounds").isEmpty();
    }

    private static int codeLines(String name) throws IOException {
        Path source = Path.of("src/main/java", PACKAGE.replace('.', '/'), name + ".java");
        try (Stream<String> lines = Files.lines(source)) {
            return (int) lines.map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.matches("(//|/\\*|\\*|import |package ).*"))
                    .count();
        }
    }

    @Test
    void whatScopesAndErrorsOffer_isNotUsedMoreFromBelow() {
        Set<String> used = KERNEL.stream()
                .filter(type -> BELOW.contains(CHAPTERS.getOrDefault(topLevel(type), "")))
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(access -> KERNEL.contain(access.getTargetOwner().getName()))
                .filter(access -> ABOVE.contains(CHAPTERS.get(topLevel(access.getTargetOwner()))))
                .map(access -> topLevel(access.getTargetOwner()) + '.' + access.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(used).hasSizeLessThanOrEqualTo(MEMBERS_USED_FROM_BELOW);
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
