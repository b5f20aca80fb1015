package org.trueasync.examples;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.trueasync.testkit.simulation.Scenario;

/** The replicated store with one of its planted bugs. */
final class RaftBugs {
    private static final Path STORE = Path.of("").toAbsolutePath().resolve("raft");

    private RaftBugs() {}

    static List<Path> all() throws IOException {
        try (Stream<Path> found = Files.list(STORE.resolve("bugs"))) {
            return found.sorted().toList();
        }
    }

    static String name(Path patch) {
        return patch.getFileName().toString().replace(".patch", "");
    }

    /** The scenario of the store with a bug, compiled into a folder, with classes of its own. */
    static Scenario scenario(Path patch, Path folder) throws Exception {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.list(STORE)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList())
                sources.put(file.getFileName().toString(), Files.readString(file));
        }
        apply(Files.readAllLines(patch), sources);
        var paths = new ArrayList<Path>();
        for (var source : sources.entrySet())
            paths.add(Files.writeString(folder.resolve(source.getKey()), source.getValue()));
        var messages = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-proc:none", "-d", folder.toString(), "-classpath", System.getProperty("java.class.path"));
            var task = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(paths));
            if (!task.call()) throw new AssertionError(patch + " does not compile: " + messages);
        }
        Class<?> scenario = new Apart(folder).loadClass(RaftScenario.class.getName());
        return (Scenario) scenario.getDeclaredConstructor().newInstance();
    }

    /** Loads the store from the folder, and the scenario once more, so that it uses that store. */
    private static final class Apart extends URLClassLoader {
        Apart(Path folder) throws IOException {
            super(
                    new URL[] {
                        folder.toUri().toURL(),
                        RaftScenario.class.getProtectionDomain().getCodeSource().getLocation()
                    },
                    RaftBugs.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean own = name.startsWith("raft.") || name.startsWith(RaftScenario.class.getName());
            synchronized (getClassLoadingLock(name)) {
                if (!own) return super.loadClass(name, resolve);
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }

    /** Applies a unified diff; what it removes must be in the file once. */
    private static void apply(List<String> patch, Map<String, String> sources) {
        String file = "";
        var before = new StringBuilder();
        var after = new StringBuilder();
        for (String line :
                Stream.concat(patch.stream().skip(1), Stream.of("@@")).toList()) {
            if (line.startsWith("@@") || line.startsWith("---")) {
                if (!before.isEmpty()) replace(sources, file, before.toString(), after.toString());
                before.setLength(0);
                after.setLength(0);
            } else if (line.startsWith("+++ b/")) {
                file = line.substring(6);
            } else {
                if (!line.startsWith("+")) before.append(line.substring(1)).append('\n');
                if (!line.startsWith("-")) after.append(line.substring(1)).append('\n');
            }
        }
    }

    private static void replace(Map<String, String> sources, String file, String before, String after) {
        String source = sources.get(file);
        int at = source == null ? -1 : source.indexOf(before);
        if (at < 0 || source.indexOf(before, at + 1) >= 0)
            throw new AssertionError("in " + file + " there is not once:\n" + before);
        sources.put(file, source.substring(0, at) + after + source.substring(at + before.length()));
    }
}
