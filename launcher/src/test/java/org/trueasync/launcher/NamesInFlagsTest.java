package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Classes, methods, packages and modules that a JVM flag names exist. The JVM ignores a method that it does not know,
 * and warns about a package or module that nobody reads about: after a renaming the flag would do nothing, and no other
 * test would notice.
 */
class NamesInFlagsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final SourceNames OURS = sources();

    private static final Pattern COMPILE_COMMAND =
            Pattern.compile("-XX:CompileCommand=([^\\s\"',;)<]+(?:,[^\\s\"';)<]+)?)");
    private static final Pattern ACCESS =
            Pattern.compile("--add-(?:opens|exports)[\\s=]([\\w.]+)/([\\w.]+)(?:=([\\w.,-]+))?");
    private static final Pattern MANIFEST = Pattern.compile("<(Add-Opens|Add-Exports)>([^<]*)</\\1>");
    private static final Pattern MODULES =
            Pattern.compile("--(?:enable-native-access|add-modules)[\\s=]([\\w.-]+(?:,[\\w.-]+)*)");
    private static final Pattern CLASSES =
            Pattern.compile("(?:java\\.system\\.class\\.loader=|<mainClass>|--module [\\w.]+/)([\\w.$]+)");

    private final List<String> missing = new ArrayList<>();

    @Test
    void methodsOfCompilerCommands_exist() throws IOException {
        int checked = eachFlag(COMPILE_COMMAND, (flag, found) -> {
            String[] command = flag.group(1).split(",", 2);
            if (command.length == 2) requireMethod(command[1], found);
        });
        assertThat(missing).isEmpty();
        assertThat(checked).as("compiler commands").isGreaterThanOrEqualTo(4);
    }

    @Test
    void packagesThatAreOpened_exist() throws IOException {
        int checked = eachFlag(ACCESS, (flag, found) -> {
            requirePackage(flag.group(1), flag.group(2), found);
            if (flag.group(3) != null) requireModules(flag.group(3), found);
        });
        checked += eachFlag(MANIFEST, (flag, found) -> {
            for (String opened : flag.group(2).strip().split("\\s+")) {
                String[] parts = opened.split("/", 2);
                requirePackage(parts[0], parts[1], found);
            }
        });
        assertThat(missing).isEmpty();
        assertThat(checked).as("flags that open packages").isGreaterThanOrEqualTo(8);
    }

    @Test
    void modulesOfFlags_exist() throws IOException {
        int checked = eachFlag(MODULES, (flag, found) -> requireModules(flag.group(1), found));
        assertThat(missing).isEmpty();
        assertThat(checked).as("flags with modules").isGreaterThanOrEqualTo(5);
    }

    @Test
    void classesThatTheJvmStarts_exist() throws IOException {
        int checked = eachFlag(CLASSES, (flag, found) -> requireClass(flag.group(1), found));
        assertThat(missing).isEmpty();
        assertThat(checked).as("classes that the JVM starts").isGreaterThanOrEqualTo(2);
    }

    @Test
    void flagsWhoseNamesAreGone_areTold() {
        requireMethod("org.trueasync.internal.kernel.Loop::noSuchMethod", "a");
        requireMethod("org.trueasync.internal.kernel.NoSuchClass::spawn", "b");
        requireMethod("org.trueasync.internal.*::spawn", "c");
        requirePackage("java.base", "java.lung", "d");
        requirePackage("org.trueasync", "org.trueasync.internal.kernel", "d");
        requirePackage("org.trueasync", "org.trueasync.internal.colonel", "d");
        requireModules("ALL-UNNAMED,org.trueasync,org.trueasync.launche", "e");
        requireClass("org.trueasync.launcher.Mein", "f");
        assertThat(missing)
                .satisfiesExactly(
                        told -> assertThat(told)
                                .startsWith("a: ")
                                .contains("Loop has no method noSuchMethod, but ")
                                .contains("post"),
                        told -> assertThat(told).isEqualTo("b: no class org.trueasync.internal.kernel.NoSuchClass"),
                        told -> assertThat(told).isEqualTo("d: module java.base has no package java.lung"),
                        told -> assertThat(told).isEqualTo("d: no package org.trueasync.internal.colonel"),
                        told -> assertThat(told)
                                .startsWith("e: no module org.trueasync.launche, but [")
                                .contains("org.trueasync,"),
                        told -> assertThat(told).isEqualTo("f: no class org.trueasync.launcher.Mein"));
    }

    /**
     * A pattern as the JVM takes it: {@code *} at either end of the class and of the method, {@code ::} or a dot
     * between them.
     */
    private void requireMethod(String pattern, String found) {
        int colons = pattern.indexOf("::");
        int end = colons >= 0 ? colons : pattern.lastIndexOf('.');
        String type = pattern.substring(0, end).replace('/', '.');
        String method = pattern.substring(end + (colons >= 0 ? 2 : 1)).replaceAll("[,(].*", "");
        List<Map.Entry<String, Set<String>>> types = OURS.methods().entrySet().stream()
                .filter(entry -> matches(type, entry.getKey()))
                .toList();
        if (types.isEmpty()) {
            missing.add(found + ": no class " + type);
            return;
        }
        boolean exists =
                types.stream().flatMap(entry -> entry.getValue().stream()).anyMatch(name -> matches(method, name));
        if (!exists) {
            String others = types.size() == 1 ? ", but " + types.getFirst().getValue() : "";
            missing.add(found + ": " + type + " has no method " + method + others);
        }
    }

    private static boolean matches(String pattern, String name) {
        return name.matches(Pattern.quote(pattern).replace("*", "\\E.*\\Q"));
    }

    private void requirePackage(String module, String name, String found) {
        if (OURS.modules().contains(module)) {
            if (OURS.methods().keySet().stream().noneMatch(type -> type.startsWith(name + ".")))
                missing.add(found + ": no package " + name);
            return;
        }
        Optional<ModuleReference> system = ModuleFinder.ofSystem().find(module);
        if (system.isEmpty()) missing.add(found + ": no module " + module);
        else if (!system.get().descriptor().packages().contains(name))
            missing.add(found + ": module " + module + " has no package " + name);
    }

    private void requireModules(String list, String found) {
        for (String module : list.split(",")) {
            if (module.matches("ALL-[A-Z-]+")) continue;
            if (!OURS.modules().contains(module)
                    && ModuleFinder.ofSystem().find(module).isEmpty())
                missing.add(found + ": no module " + module + ", but " + OURS.modules());
        }
    }

    private void requireClass(String name, String found) {
        if (!OURS.methods().containsKey(name)) missing.add(found + ": no class " + name);
    }

    /** Gives each flag of the scripts, poms, main sources and pages with its file; returns how many there were. */
    private static int eachFlag(Pattern pattern, BiConsumer<MatchResult, String> action) throws IOException {
        int count = 0;
        for (Path file : filesWithFlags()) {
            String text = Files.readString(file);
            for (MatchResult flag : pattern.matcher(text).results().toList()) {
                action.accept(flag, ROOT.relativize(file) + ": " + flag.group());
                count++;
            }
        }
        return count;
    }

    private static List<Path> filesWithFlags() throws IOException {
        List<Path> all = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("pom.xml")));
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.map(module -> module.resolve("pom.xml"))
                    .filter(Files::exists)
                    .forEach(all::add);
        }
        for (String place :
                List.of("bin", ".ci", "docs/guide", "bench/src/main", "launcher/src/main", "core/src/main")) {
            try (Stream<Path> tree = Files.walk(ROOT.resolve(place))) {
                tree.filter(file ->
                                Files.isRegularFile(file) && !file.toString().endsWith(".png"))
                        .forEach(all::add);
            }
        }
        return all;
    }

    private static SourceNames sources() {
        try {
            return new SourceNames(ROOT);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
