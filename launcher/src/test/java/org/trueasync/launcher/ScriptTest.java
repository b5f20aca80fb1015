package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/**
 * {@code bin/trueasync} and {@code bin/bench} in an installation made for the test: the scripts are the real ones, the
 * launcher in its jars only prints what reaches it, and its {@code mvn} only says that it was called.
 */
@Tag("deep")
class ScriptTest {
    private static final Path SCRIPTS = Path.of("").toAbsolutePath().resolveSibling("bin");
    private static final String ECHO = """
            package %s;
            public class %s {
                public static void main(String[] args) throws Exception {
                    System.out.println("started " + String.join(",", args) + "|" + new String(System.in.readAllBytes()));
                }
            }
            """;
    private static final Instant BUILT = Instant.parse("2026-01-02T00:00:00Z");

    @TempDir
    Path temporary;

    private Path root;
    private Path modules;

    @BeforeEach
    void install() throws Exception {
        open(temporary);
        root = Files.createDirectory(temporary.resolve("installation"));
        modules = root.resolve("launcher/target/dist/modules");
        Path drivers = root.resolve("launcher/target/dist/drivers");
        Path benchLib = root.resolve("bench/target/dist/lib");
        for (Path made : List.of(modules, drivers, benchLib, root.resolve("bin"), root.resolve("core/target"))) {
            Files.createDirectories(made);
        }
        for (String script : List.of("trueasync", "bench")) {
            Files.copy(SCRIPTS.resolve(script), root.resolve("bin").resolve(script));
        }
        for (String module : List.of("core", "launcher")) {
            Files.writeString(root.resolve(module).resolve("pom.xml"), "<project/>");
        }
        executable("bin/mvn", "#!/bin/sh\necho mvn was called\nexit 1\n");
        // with the packages that the flags of the command open
        String inPackage = "package org.trueasync.internal.%s; class %s {}";
        module(
                "core",
                "org.trueasync",
                "",
                Map.of("Kernel", inPackage.formatted("kernel", "Kernel"), "Time", inPackage.formatted("time", "Time")));
        module("io", "org.trueasync.io", "", Map.of());
        module("diagnostics", "org.trueasync.diagnostics", "", Map.of());
        module("reactor-libuv", "org.trueasync.reactor.libuv", "", Map.of());
        module("reactor-nio", "org.trueasync.reactor.nio", "", Map.of());
        module("jdbc", "org.trueasync.jdbc", "", Map.of());
        module(
                "launcher",
                "org.trueasync.launcher",
                "requires org.trueasync; requires org.trueasync.reactor.libuv;",
                Map.of("Main", ECHO.formatted("org.trueasync.launcher", "Main")));
        jar(drivers.resolve("h2-1.jar"), "unused.h2", "Nothing");
        jar(benchLib.resolve("trueasync-bench-1.jar"), "org.trueasync.bench", "Bench");
        date(root, BUILT.minusSeconds(3600));
        date(modules, BUILT);
        date(drivers, BUILT);
        for (String part : List.of("cluster", "http", "testkit", "micrometer")) {
            Path folder = Files.createDirectories(drivers.resolveSibling(part));
            for (String jar : List.of("trueasync-" + part, "hazelcast", "jetty-http"))
                jar(folder.resolve(jar + "-1.jar"), "unused." + part, "Nothing");
            date(folder, BUILT);
        }
        date(benchLib, BUILT);
    }

    @Test
    void cdpath_changesNothing() throws Exception {
        Map<String, String> cdpath = Map.of("CDPATH", ".:" + temporary);
        assertThat(run(cdpath, "bin/trueasync", "run", "x")).isEqualTo(new Result(0, "started run,x|\n", ""));
        Result bench = run(cdpath, "bin/bench", "x");
        assertThat(bench.out()).isEqualTo("started x|\n");
        assertThat(bench.status()).isZero();
    }

    @Test
    void links_leadToTheInstallation() throws Exception {
        Path links = Files.createDirectory(temporary.resolve("some links"));
        Files.createSymbolicLink(links.resolve("first"), root.resolve("bin/trueasync"));
        Files.createSymbolicLink(links.resolve("second"), Path.of("first"));
        assertThat(run(
                                Map.of("CDPATH", temporary.toString()),
                                links.resolve("second").toString())
                        .out())
                .isEqualTo("started |\n");
    }

    @Test
    void propertyOfTheUsers_winsOverOurs() throws Exception {
        String command = "JDK_JAVA_OPTIONS='-XshowSettings:properties %s' exec bin/trueasync";
        assertThat(run(Map.of(), "sh", "-c", command.formatted("")).err()).contains("jdk.pollerMode = 1\n");
        String theirs = command.formatted("-Djdk.pollerMode=2");
        assertThat(run(Map.of(), "sh", "-c", theirs).err()).contains("jdk.pollerMode = 2\n");
    }

    @Test
    void closedInput_isEmpty() throws Exception {
        assertThat(run(Map.of(), "sh", "-c", "exec bin/trueasync run <&-"))
                .isEqualTo(new Result(0, "started run|\n", ""));
    }

    @Test
    void pipedInput_goesThrough() throws Exception {
        assertThat(run(Map.of(), "sh", "-c", "printf text | bin/trueasync run"))
                .isEqualTo(new Result(0, "started run|text\n", ""));
    }

    @Test
    void sourceNewerThanBuild_isBuilt() throws Exception {
        date(root.resolve("core/pom.xml"), BUILT.plusSeconds(1));
        Result result = run(Map.of(), "bin/trueasync", "run");
        assertThat(result.err()).contains("building once", "mvn was called", "the build failed");
        assertThat(result.status()).isEqualTo(2);
    }

    /** As after a build by Maven: they were fetched long before. */
    @Test
    void driverOlderThanSources_isNotBuilt() throws Exception {
        date(root.resolve("launcher/target/dist/drivers"), BUILT.minusSeconds(7200));
        assertThat(run(Map.of(), "bin/trueasync", "run")).isEqualTo(new Result(0, "started run|\n", ""));
    }

    @Test
    void sourceNewerThanBuildThatCannotBeRenewed_runsTheBuild() throws Exception {
        date(root.resolve("core/pom.xml"), BUILT.plusSeconds(1));
        forbidWriting("core/target");
        Result result = runAsNobody("bin/trueasync", "run");
        assertThat(result.err())
                .startsWith("trueasync: running a build that is older than its sources: cannot write to "
                        + root.resolve("core/target"))
                .hasLineCount(1);
        assertThat(result.out()).isEqualTo("started run|\n");
        assertThat(result.status()).isZero();
    }

    @Test
    void nothingBuiltWhereNobodyMayWrite_isSaidInOneLine() throws Exception {
        Files.delete(modules.resolve("trueasync-core-1.jar"));
        forbidWriting("launcher/target/dist/modules");
        Result result = runAsNobody("bin/trueasync", "run");
        assertThat(result.err())
                .startsWith("trueasync: not built yet, and cannot write to " + modules)
                .hasLineCount(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    private Result run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", root.resolve("bin") + File.pathSeparator + System.getenv("PATH"));
        builder.environment().putAll(environment);
        return LauncherProcess.execute(root, builder, "");
    }

    /** As a user who may not write where {@link #forbidWriting} says, which root always may. */
    private Result runAsNobody(String... command) throws Exception {
        if (!Files.isWritable(root.resolve("core/target")) || !Files.isWritable(modules)) {
            return run(Map.of(), command);
        }
        assumeThat(Stream.of("/usr/bin/setpriv", "/bin/setpriv").map(Path::of).anyMatch(Files::isExecutable))
                .as("only setpriv can run something as another user")
                .isTrue();
        List<String> all = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        all.addAll(List.of(command));
        return run(Map.of(), all.toArray(String[]::new));
    }

    /** Leaves everything open to everybody but this. */
    private void forbidWriting(String directory) throws Exception {
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : tree.toList()) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
        }
        Files.setPosixFilePermissions(root.resolve(directory), PosixFilePermissions.fromString("r-xr-xr-x"));
    }

    private static void open(Path directory) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void executable(String name, String text) throws Exception {
        Path file = Files.writeString(root.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void date(Path tree, Instant when) throws Exception {
        try (Stream<Path> found = Files.walk(tree)) {
            for (Path path : found.toList()) {
                Files.setLastModifiedTime(path, FileTime.from(when));
            }
        }
    }

    private void jar(Path jar, String packageName, String className) throws Exception {
        Path sources = Files.createDirectories(temporary.resolve("sources"));
        LauncherProcess.write(sources, className + ".java", ECHO.formatted(packageName, className));
        Path classes = Files.createDirectories(temporary.resolve("classes"));
        SourceProgram.compile(
                sources.resolve(className + ".java"),
                List.of(),
                classes,
                new PrintWriter(System.err),
                new SourceTree());
        String entry = packageName.replace('.', '/') + "/" + className + ".class";
        try (var file = new JarOutputStream(Files.newOutputStream(jar))) {
            file.putNextEntry(new JarEntry(entry));
            Files.copy(classes.resolve(entry), file);
        }
    }

    /** A module in a jar, as the build makes them. */
    private void module(String name, String module, String directives, Map<String, String> sources) throws Exception {
        Path folder = Files.createDirectories(temporary.resolve("modules").resolve(name));
        Path classes = folder.resolve("classes");
        List<String> files = new ArrayList<>();
        LauncherProcess.write(folder, "module-info.java", "module " + module + " { " + directives + " }");
        files.add(folder.resolve("module-info.java").toString());
        for (var source : sources.entrySet()) {
            LauncherProcess.write(folder, source.getKey() + ".java", source.getValue());
            files.add(folder.resolve(source.getKey() + ".java").toString());
        }
        List<String> options = new ArrayList<>(
                List.of("-Xlint:-module", "-d", classes.toString(), "--module-path", modules.toString()));
        options.addAll(files);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .isZero();
        try (var file = new JarOutputStream(Files.newOutputStream(modules.resolve("trueasync-" + name + "-1.jar")));
                Stream<Path> tree = Files.walk(classes)) {
            for (Path path : tree.filter(Files::isRegularFile).toList()) {
                file.putNextEntry(new JarEntry(classes.relativize(path).toString()));
                Files.copy(path, file);
            }
        }
    }
}
