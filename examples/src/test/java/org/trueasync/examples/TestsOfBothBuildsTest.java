package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The default build leaves out what has the tag {@code deep}, and the deep build leaves out nothing. So each test is in
 * exactly one of the two parts, if some build runs its class at all. And what a deep test promises, a quick one tries.
 */
class TestsOfBothBuildsTest {
    /** They print figures, and prove nothing. */
    private static final Set<String> ON_REQUEST = Set.of("LoadTable");

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String DEEP = "deep";
    private static final String SIZED = "sized";

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"(\\w+)\"\\)");
    private static final Pattern TEST = Pattern.compile("@(?:Test|ParameterizedTest|TestFactory|RepeatedTest)\\b");
    private static final Pattern TYPE =
            Pattern.compile("^(\\s*)(?:\\w+ )*?(?:class|interface|record|enum) (\\w+)(?:<.*?>)?(?: extends (\\w+))?.*");
    private static final Pattern METHOD = Pattern.compile("^\\s+(?:\\w+ )*[\\w.<>?, \\[\\]]+ (\\w+)\\(.*");

    /** A declaration of a test, with its tags and those of the classes around it. */
    private record Declared(Path file, String name, Set<String> tags) {
        boolean isDeep() {
            return tags.contains(DEEP);
        }
    }

    @Test
    void poms_leaveOutTheTagDeepOrNothing() throws IOException {
        String text = Files.readString(ROOT.resolve("pom.xml"));
        assertThat(text).containsOnlyOnce("<excludedGroups>" + DEEP + "</excludedGroups>");
        assertThat(text).containsOnlyOnce("<excludedGroups/>");
        assertThat(text).containsOnlyOnce("<groups>" + DEEP + " | " + SIZED + "</groups>");
        for (Path pom : files("pom.xml")) {
            if (pom.getParent().equals(ROOT)) continue;
            String module = Files.readString(pom)
                    .replaceAll("(?s)<artifactId>pitest-maven<.*?</plugin>", "")
                    .replaceAll("(?s)<id>second-libuv</id>\\s*<goals>.*?</execution>", "");
            assertThat(module)
                    .as(pom.toString())
                    .doesNotContain("<groups>", "<excludedGroups>", "<skipTests>")
                    .doesNotContain("<test>", "<excludes><exclude>**");
        }
    }

    /** Surefire runs classes by their names; suites that all reactors must pass are extended by such classes. */
    @Test
    void everyClassWithTests_isRunByItsName() throws IOException {
        Set<String> extended = new TreeSet<>();
        for (Path file : testSources()) extended.addAll(extendedIn(Files.readString(file)));
        List<String> lost = new ArrayList<>();
        for (Declared test : declared()) {
            String name = simpleName(test.file());
            boolean isRun = name.endsWith("Test")
                    || name.endsWith("Nightly")
                    || extended.contains(name)
                    || ON_REQUEST.contains(name);
            if (!isRun) lost.add(test.file() + ": " + test.name());
        }
        assertThat(lost).as("tests that no build runs").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reactor-libuv", "reactor-nio"})
    void everySuiteOfInputAndOutput_isRunOnTheReactor(String module) throws IOException {
        Set<String> suites = new TreeSet<>();
        Set<String> run = new TreeSet<>();
        for (Path file : testSources()) {
            String path = ROOT.relativize(file).toString();
            if (path.matches("(core|io)/.*/(io|cancellation)/\\w+Conformance.java")) suites.add(simpleName(file));
            if (path.startsWith(module)) run.addAll(extendedIn(Files.readString(file)));
        }
        // NIO shares no ports, so its cores serve no connections together
        if (module.equals("reactor-nio")) suites.remove("CoresConformance");
        assertThat(suites).hasSizeGreaterThan(20);
        assertThat(run).containsAll(suites);
    }

    private static Set<String> extendedIn(String source) {
        Set<String> names = new TreeSet<>();
        Matcher type = Pattern.compile(" extends (\\w+)").matcher(source);
        while (type.find()) names.add(type.group(1));
        return names;
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    /** {@code -Ddeep=rest} runs again what has a larger size than in the default build, and finds it by its tag. */
    @Test
    void testWithALargerSize_saysSo() throws IOException {
        Set<String> sized = new TreeSet<>();
        for (Path file : testSources()) {
            if (!simpleName(file).endsWith("Test")
                    || simpleName(file).equals(getClass().getSimpleName())) continue;
            String source = Files.readString(file);
            boolean asks = source.contains("Depth.of(") || source.contains("Orders.explore");
            assertThat(source.contains("@Tag(\"" + SIZED + "\")"))
                    .as("%s has the tag %s", file, SIZED)
                    .isEqualTo(asks);
            if (asks) sized.add(simpleName(file));
        }
        assertThat(sized).hasSizeGreaterThan(10);
    }

    /** Core's tests run in a module beside it, and there all of them. */
    @Test
    void testsThatRunElsewhere_runThere() throws IOException {
        assertThat(Files.readString(ROOT.resolve("core/pom.xml"))).contains("<own.tests.elsewhere>true<");
        assertThat(Files.readString(ROOT.resolve("core/tests/pom.xml")))
                .contains("<testClassesDirectory>${project.basedir}/../target/test-classes</testClassesDirectory>")
                .contains("<tests.run.in.core>false<");
        assertThat(Files.readString(ROOT.resolve("pom.xml"))).contains("<module>core/tests</module>");
    }

    /** A test's tags that are no parts of builds are the numbers of what it proves. */
    @Test
    void whatADeepTestPromises_aQuickOneTries() throws IOException {
        List<Declared> all = declared();
        Set<String> quick = new TreeSet<>();
        Set<String> deep = new TreeSet<>();
        for (Declared test : all) (test.isDeep() ? deep : quick).addAll(test.tags());
        deep.remove(DEEP);
        assertThat(deep).isNotEmpty();
        deep.removeAll(quick);
        assertThat(deep).as("numbers that only deep tests have").isEmpty();
        long deepTests = all.stream().filter(Declared::isDeep).count();
        System.out.println("tests written: " + all.size() + ", of these only in the deep build: " + deepTests);
        assertThat(deepTests).isLessThan(all.size() / 10);
    }

    private static List<Declared> declared() throws IOException {
        List<Declared> all = new ArrayList<>();
        for (Path file : testSources()) {
            Set<String> ofTheClass = new TreeSet<>();
            Set<String> ofTheNested = new TreeSet<>();
            Set<String> pending = new TreeSet<>();
            boolean isTest = false;
            for (String line : Files.readAllLines(file)) {
                Matcher tag = TAG.matcher(line);
                while (tag.find()) pending.add(tag.group(1));
                isTest |= TEST.matcher(line).find();
                // a method of the outer class ends, or a class in it
                if (line.equals("    }")) ofTheNested = Set.of();
                if (line.strip().startsWith("@") || line.strip().startsWith("*")) continue;
                Matcher type = TYPE.matcher(line);
                Matcher method = METHOD.matcher(line);
                if (type.matches()) {
                    if (type.group(1).isEmpty()) ofTheClass = Set.copyOf(pending);
                    else ofTheNested = Set.copyOf(pending);
                } else if (isTest && method.matches()) {
                    Set<String> tags = new TreeSet<>(pending);
                    tags.addAll(ofTheClass);
                    tags.addAll(ofTheNested);
                    all.add(new Declared(ROOT.relativize(file), method.group(1), tags));
                } else {
                    continue;
                }
                pending.clear();
                isTest = false;
            }
        }
        assertThat(all).hasSizeGreaterThan(2_000);
        return all;
    }

    private static List<Path> testSources() throws IOException {
        return files(".java").stream()
                .filter(file -> file.toString().contains("/src/test/java/"))
                .toList();
    }

    /** Of the modules' sources, not of what was built. */
    private static List<Path> files(String end) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.filter(module -> Files.exists(module.resolve("pom.xml"))).forEach(module -> {
                try (Stream<Path> tree = Files.walk(module)) {
                    tree.filter(file -> file.toString().endsWith(end))
                            .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
                            .forEach(found::add);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return found;
    }
}
