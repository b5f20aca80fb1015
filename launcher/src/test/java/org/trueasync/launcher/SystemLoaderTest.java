package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/**
 * JMX calls the beans of our modules. The program is on the system class loader, ours is out of its way, and its jar's
 * manifest is obeyed, as under {@code java}.
 */
@Tag("deep")
class SystemLoaderTest {
    @TempDir
    Path directory;

    @TempDir
    Path place;

    private Installed installed;

    @BeforeEach
    void install() throws Exception {
        installed = new Installed(place);
    }

    @Test
    void whoeverLooksForAClass_findsTheProgramsThroughTheSystemLoader() throws Exception {
        LauncherProcess.write(directory, "Looks.java", """
                import static org.trueasync.Async.*;
                import java.util.concurrent.*;
                import java.util.logging.*;
                public class Looks {
                    public static class Told extends Handler {
                        public void publish(LogRecord r) { System.out.println("handler got " + r.getMessage()); }
                        public void flush() {}
                        public void close() {}
                    }
                    static Object loader() { return Thread.currentThread().getContextClassLoader(); }
                    public static void main(String[] a) throws Exception {
                        var system = ClassLoader.getSystemClassLoader();
                        System.out.println(Looks.class.getClassLoader() == system);
                        System.out.println(ClassLoader.getSystemResource("Looks.class") != null);
                        System.out.println(system.resources("Looks.class").count());
                        System.out.println(CompletableFuture.supplyAsync(() -> {
                            try { return loader() == system && Class.forName("Looks", true, ClassLoader.getSystemClassLoader()) == Looks.class; }
                            catch (ClassNotFoundException e) { return false; } }).get());
                        LogManager.getLogManager().readConfiguration(
                            new java.io.ByteArrayInputStream("handlers=Looks$Told".getBytes()));
                        Logger.getLogger("x").info("a message");
                        System.out.println(await(spawn(() -> loader())) == system);
                        System.out.println(CompletableFuture.supplyAsync(() -> loader(), executor()).get() == system);
                        System.out.println(blocking(() -> loader()) == system);
                        System.out.println(await(spawnThread(() -> loader() == system)));
                    }
                }
                """);
        assertThat(installed.run(directory, "run", "Looks.java"))
                .isEqualTo(new Result(0, "true\ntrue\n1\ntrue\nhandler got a message\ntrue\ntrue\ntrue\ntrue\n", ""));
    }

    private static final String VERSION =
            "package lib; public class Version { public static String text() { return \"%s\"; } }";
    private static final String SHOWS =
            "public class Shows { public static void main(String[] a) { System.out.println(lib.Version.text()); } }";

    @Test
    void aLibraryOfTheProgramsAndOurs_theProgramsIsTaken() throws Exception {
        jar(installed.drivers().resolve("ours.jar"), Map.of(), compiled("Version.java", VERSION.formatted("ours")));
        jar(directory.resolve("theirs.jar"), Map.of(), compiled("Version.java", VERSION.formatted("theirs")));
        LauncherProcess.write(directory, "Shows.java", SHOWS);
        assertThat(installed.run(directory, "run", "Shows.java").out()).isEqualTo("ours\n");
        assertThat(installed
                        .run(directory, "run", "-cp", "theirs.jar", "Shows.java")
                        .out())
                .isEqualTo("theirs\n");
        jar(directory.resolve("app.jar"), Map.of("Main-Class", "Shows"), compiled("Shows.java", SHOWS, "theirs.jar"));
        assertThat(installed.run(directory, "run", "app.jar").out()).isEqualTo("ours\n");
        jar(
                directory.resolve("app.jar"),
                Map.of("Main-Class", "Shows", "Class-Path", "theirs.jar"),
                compiled("Shows.java", SHOWS, "theirs.jar"));
        assertThat(installed.run(directory, "run", "app.jar").out()).isEqualTo("theirs\n");
    }

    @Test
    void programOnTheJdksServerApi_getsOurProviderOfIt() throws Exception {
        Map<String, byte[]> provider = new LinkedHashMap<>(compiled("Ours.java", """
                import com.sun.net.httpserver.*;
                public class Ours extends com.sun.net.httpserver.spi.HttpServerProvider {
                    public HttpServer createHttpServer(java.net.InetSocketAddress address, int backlog) { return null; }
                    public HttpsServer createHttpsServer(java.net.InetSocketAddress address, int backlog) { return null; }
                }
                """));
        provider.put("META-INF/services/com.sun.net.httpserver.spi.HttpServerProvider", "Ours".getBytes());
        Path http = Files.createDirectories(installed.drivers().resolveSibling("http"));
        jar(http.resolve("http.jar"), Map.of(), provider);
        String source = """
                import com.sun.net.httpserver.spi.HttpServerProvider;
                public class Asks { public static void main(String[] a) {
                    System.out.println(HttpServerProvider.provider().getClass().getSimpleName()); } }
                """;
        LauncherProcess.write(directory, "Asks.java", source);
        assertThat(installed.run(directory, "run", "Asks.java")).isEqualTo(new Result(0, "Ours\n", ""));
        jar(directory.resolve("asks.jar"), Map.of("Main-Class", "Asks"), compiled("Asks.java", source));
        for (String[] arguments : new String[][] {{"run", "-cp", "asks.jar", "Asks"}, {"run", "asks.jar"}})
            assertThat(installed.run(directory, arguments)).isEqualTo(new Result(0, "Ours\n", ""));
    }

    @Test
    void aJarThatHoldsJars_getsNothingOfOurs() throws Exception {
        jar(installed.drivers().resolve("ours.jar"), Map.of(), compiled("Version.java", VERSION.formatted("ours")));
        Map<String, byte[]> entries = new LinkedHashMap<>(compiled("Looks.java", """
                public class Looks { public static void main(String[] a) throws Exception {
                    System.out.println(ClassLoader.getSystemResource("lib/Version.class")); } }
                """));
        entries.put("BOOT-INF/lib/theirs.jar", new byte[0]);
        jar(directory.resolve("app.jar"), Map.of("Main-Class", "Looks"), entries);
        assertThat(installed.run(directory, "run", "app.jar")).isEqualTo(new Result(0, "null\n", ""));
    }

    @Test
    void ourInternals_areClosed() throws Exception {
        assumeThat(installed.isModular()).isTrue();
        LauncherProcess.write(directory, "Pries.java", """
                void main() throws Exception {
                    var type = Class.forName("org.trueasync.internal.kernel.Runtimes");
                    try { type.getMethod("all").invoke(null); } catch (IllegalAccessException e) { IO.println("closed"); }
                    try { Thread.class.getDeclaredMethod("currentCarrierThread").setAccessible(true); }
                    catch (RuntimeException e) { IO.println(e.getClass().getSimpleName()); }
                }
                """);
        assertThat(installed.run(directory, "run", "Pries.java"))
                .isEqualTo(new Result(0, "closed\nInaccessibleObjectException\n", ""));
        LauncherProcess.write(
                directory, "Compiles.java", "void main() { org.trueasync.internal.kernel.Runtimes.all(); }");
        assertThat(installed.run(directory, "run", "Compiles.java").err())
                .contains("package org.trueasync.internal.kernel is not visible");
    }

    @Test
    void manifestOfTheJar_opensAndExports() throws Exception {
        String source = """
                public class Opens { public static void main(String[] a) throws Exception {
                    java.lang.reflect.Field field = java.util.ArrayList.class.getDeclaredField("size");
                    field.setAccessible(true);
                    System.out.println(field.get(new java.util.ArrayList<>(java.util.List.of(1, 2))));
                    System.out.println(Class.forName("sun.security.util.KnownOIDs").getMethod("values").invoke(null) != null);
                    System.out.println(Opens.class.getModule().isNativeAccessEnabled());
                } }
                """;
        jar(
                directory.resolve("app.jar"),
                Map.of(
                        "Main-Class", "Opens",
                        "Add-Opens", "no.such/module java.base/java.util java.base/no.such",
                        "Add-Exports", "java.base/sun.security.util",
                        "Enable-Native-Access", "ALL-UNNAMED"),
                compiled("Opens.java", source));
        assertThat(installed.run(directory, "run", "app.jar")).isEqualTo(new Result(0, "2\ntrue\ntrue\n", ""));
    }

    @Test
    void manifestOfTheJar_startsItsAgent() throws Exception {
        String source = """
                public class Agent {
                    static java.lang.instrument.Instrumentation given;
                    public static void agentmain(String text, java.lang.instrument.Instrumentation it) { given = it; }
                    public static void main(String[] a) throws Exception {
                        System.out.println(given != null && given.getObjectSize("") > 0);
                    }
                }
                """;
        jar(
                directory.resolve("app.jar"),
                Map.of("Main-Class", "Agent", "Launcher-Agent-Class", "Agent"),
                compiled("Agent.java", source));
        assertThat(installed.run(directory, "run", "app.jar")).isEqualTo(new Result(0, "true\n", ""));
    }

    @Test
    void previewFeatures_reachTheCompiler() throws Exception {
        LauncherProcess.write(directory, "Preview.java", """
                void main() { Object o = 7; if (o instanceof int i) IO.println(i); }
                """);
        assertThat(installed.run(directory, "run", "Preview.java").err()).contains("preview");
        Result result = installed.run(directory, List.of("--enable-preview"), "run", "Preview.java");
        assertThat(result.out()).isEqualTo("7\n");
        assertThat(result.status()).isZero();
    }

    @Test
    void pathThatTheLocaleCannotWrite_isSaidInOneLine() throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "LC_ALL=C"));
        command.addAll(installed.command(List.of(), "run", "h\u00e9llo.java"));
        Result result = LauncherProcess.execute(directory, new ProcessBuilder(command), "");
        assertThat(result.err())
                .startsWith("trueasync: this locale's encoding, ")
                .contains("LC_ALL=C.UTF-8")
                .hasLineCount(1);
        assertThat(result.status()).isEqualTo(2);
    }

    /**
     * With one thread, a class loading lock held by a suspended coroutine and wanted by a pinned one would stop
     * everything.
     */
    @Test
    void coroutinesAndHelpersLoadTheSameClasses_nobodyWaitsForEver() throws Exception {
        LauncherProcess.write(directory, "Loads.java", """
                import static org.trueasync.Async.*;
                import java.util.*;
                import java.util.jar.*;
                public class Loads {
                    public static void main(String[] jars) throws Exception {
                        var names = new ArrayList<String>();
                        for (String name : jars) try (var jar = new JarFile(name)) {
                            jar.stream().map(JarEntry::getName).filter(n -> n.endsWith(".class") && !n.contains("-"))
                                .forEach(n -> names.add(n.replace('/', '.').substring(0, n.length() - 6)));
                        }
                        Collections.shuffle(names, new Random(7));
                        var loader = Loads.class.getClassLoader();
                        for (int k = 0; k < 2; k++) spawn(() -> blocking(() -> { for (var n : names) load(n, loader, 1); return 0; }));
                        var all = new ArrayList<org.trueasync.Coroutine<?>>();
                        for (int c = 0; c < 200; c++) {
                            int i = c;
                            all.add(spawn(() -> {
                                for (int j = i % 7; j < names.size(); j += 7) {
                                    load(names.get(j), loader, i % 2);
                                    if (i % 3 == 0) loader.getResources("x" + j).hasMoreElements();
                                    if (j % 5 == 0) suspend();
                                }
                            }));
                        }
                        for (var c : all) await(c);
                        System.out.println(names.size() > 1000 ? "loaded" : "too few: " + names);
                    }
                    static void load(String name, ClassLoader loader, int way) {
                        try {
                            if (way == 0) loader.loadClass(name);
                            else Class.forName(name, false, loader);
                        } catch (ClassNotFoundException | LinkageError e) {
                            // of a library that is not there
                        }
                    }
                }
                """);
        List<String> jars = new ArrayList<>();
        for (String type : List.of(
                "org.assertj.core.api.Assertions",
                "com.tngtech.archunit.ArchConfiguration",
                "net.bytebuddy.ByteBuddy")) {
            try {
                jars.add(LauncherProcess.placeOf(
                        Class.forName(type, false, getClass().getClassLoader())));
            } catch (ClassNotFoundException absent) {
                // one is enough
            }
        }
        List<String> arguments = new ArrayList<>(
                List.of("run", "--held-loop-after", "off", "-cp", String.join(":", jars), "Loads.java"));
        arguments.addAll(jars);
        assertThat(installed.run(directory, arguments.toArray(String[]::new))).isEqualTo(new Result(0, "loaded\n", ""));
    }

    /** The entries of a jar with what this source compiles to. */
    private Map<String, byte[]> compiled(String name, String source, String... libraries) throws Exception {
        Path sources = Files.createTempDirectory(directory, "sources");
        Path classes = Files.createTempDirectory(directory, "classes");
        LauncherProcess.write(sources, name, source);
        List<Path> path = new ArrayList<>();
        for (String library : libraries) path.add(directory.resolve(library));
        SourceProgram.compile(sources.resolve(name), path, classes, new PrintWriter(System.err), new SourceTree());
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (var tree = Files.walk(classes)) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                entries.put(classes.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return entries;
    }

    private static void jar(Path file, Map<String, String> attributes, Map<String, byte[]> entries) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (var entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        }
    }

    @Test
    void everyOperationOfTheBean_worksInTheProgramItself() throws Exception {
        assumeThat(installed.isModular()).isTrue();
        LauncherProcess.write(directory, "Jmx.java", """
                import static org.trueasync.Async.*;
                import java.lang.management.ManagementFactory;
                import javax.management.*;
                void main() throws Exception {
                    var server = ManagementFactory.getPlatformMBeanServer();
                    var name = new ObjectName("org.trueasync:type=Runtime,name=main");
                    while (!server.isRegistered(name)) delay(20);
                    for (var attribute : server.getMBeanInfo(name).getAttributes())
                        IO.println(server.getAttribute(name, attribute.getName()) != null);
                    for (var operation : server.getMBeanInfo(name).getOperations())
                        IO.println(server.invoke(name, operation.getName(), null, null) != null);
                    IO.println(JMX.newMXBeanProxy(server, name, org.trueasync.diagnostics.RuntimeMXBean.class).getName());
                }
                """);
        assertThat(installed.run(directory, "run", "Jmx.java"))
                .isEqualTo(new Result(0, "true\n".repeat(5) + "main\n", ""));
    }
}
