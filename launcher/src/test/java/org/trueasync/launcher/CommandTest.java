package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;
import org.trueasync.spi.ReactorProvider;

/** The command's other forms: jars, class paths, help, and what it refuses. */
@Tag("deep")
class CommandTest {
    @TempDir
    Path directory;

    @Test
    void classPathAndMainClass_run() throws Exception {
        compile(
                "app/Start.java",
                "package app; public class Start { public static void main(String[] a) {"
                        + " System.out.println(\"from classes \" + String.join(\",\", a)); } }");
        assertThat(LauncherProcess.run(directory, "run", "-cp", "classes", "app.Start", "-cp", "x"))
                .isEqualTo(new Result(0, "from classes -cp,x\n", ""));
    }

    @Test
    void jar_bringsItsMainClassAndClassPath() throws Exception {
        compile("Library.java", "public class Library { public static String text() { return \"from library\"; } }");
        jar("library.jar", null, null, "Library.class");
        Files.delete(directory.resolve("classes/Library.class"));
        Path sources = directory.resolve("Start.java");
        Files.writeString(sources, "class Start { static void main() { System.out.println(Library.text()); } }");
        SourceProgram.compile(
                sources,
                List.of(directory.resolve("library.jar")),
                directory.resolve("classes"),
                new PrintWriter(System.err),
                new SourceTree());
        jar("app.jar", "Start", "library.jar", "Start.class");
        assertThat(LauncherProcess.run(directory, "run", "app.jar")).isEqualTo(new Result(0, "from library\n", ""));
    }

    @Test
    void sourceFileWithLibrary_runs() throws Exception {
        compile("Library.java", "public class Library { public static String text() { return \"from library\"; } }");
        jar("library.jar", null, null, "Library.class");
        Files.delete(directory.resolve("Library.java"));
        LauncherProcess.write(directory, "Uses.java", "void main() { IO.println(Library.text()); }");
        assertThat(LauncherProcess.run(directory, "run", "-cp", "library.jar", "Uses.java"))
                .isEqualTo(new Result(0, "from library\n", ""));
    }

    @Test
    @Timeout(600)
    void misuse_endsWithStatus2AndOneLine() throws Exception {
        compile("Empty.java", "class Empty {}");
        jar("plain.jar", null, null, "Empty.class");
        assertRefused("unknown option --reacter; did you mean --reactor?", "run", "--reacter", "libuv", "A.java");
        assertRefused("no readable file Missing.java", "run", "Missing.java");
        assertRefused("no readable file Mis?sing?[31m.java", "run", "Mis\nsing\u001b[31m.java");
        assertRefused("names no Main-Class", "run", "plain.jar");
        assertRefused("-cp and a jar exclude each other", "run", "-cp", "x", "plain.jar");
        assertRefused("a class needs its class path", "run", "app.Start");
        assertRefused("class app.Start can't be loaded from classes", "run", "-cp", "classes", "app.Start");
        assertRefused("class Empty has no main", "run", "-cp", "classes", "Empty");
    }

    @Test
    void unknownReactor_isRefusedByName() throws Exception {
        LauncherProcess.write(directory, "Hello.java", "void main() { IO.println(\"not reached\"); }");
        assertRefused("'epol'", "run", "--reactor", "epol", "Hello.java");
    }

    @Test
    void missingFlags_areNamedWithoutTrace() throws Exception {
        LauncherProcess.write(directory, "Hello.java", "void main() { IO.println(\"not reached\"); }");
        Result result =
                LauncherProcess.run(directory, List.of("--enable-native-access=ALL-UNNAMED"), "run", "Hello.java");
        assertThat(result.err())
                .contains("--add-opens java.base/java.lang=ALL-UNNAMED")
                .doesNotContain("\tat ");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void helpAndVersion_goToStandardOutput() throws Exception {
        assertThat(LauncherProcess.run(directory, "--help")).isEqualTo(new Result(0, Help.text(), ""));
        Result version = LauncherProcess.run(directory, "--version");
        assertThat(version.out())
                .matches("trueasync \\d\\S* \\(reactor libuv, JDK sockets polled by the loop, JDK 25\\S*\\)\\n");
        assertThat(version.status()).isZero();
    }

    @Test
    void help_namesTheReactorsThatAreThere() throws Exception {
        assertThat(LauncherProcess.run(directory, "--help").out()).containsPattern("--reactor NAME +libuv, nio; ");
        for (ReactorProvider provider : ReactorProvider.installed()) {
            LauncherProcess.write(directory, "Hello.java", "void main() { IO.println(\"here\"); }");
            assertThat(LauncherProcess.run(directory, "run", "--reactor", provider.name(), "Hello.java"))
                    .isEqualTo(new Result(0, "here\n", ""));
        }
    }

    private static final List<String> WITHOUT_LIBUV = LauncherProcess.flagsAnd("-Dorg.trueasync.libuv=/nonexistent");

    @Test
    void libuvMissing_nioIsTakenAndOneLineSaysWhy() throws Exception {
        LauncherProcess.write(directory, "Reactor.java", """
                import org.trueasync.*;
                void main() {
                    Async.delay(1);
                    IO.println(org.trueasync.spi.SchedulerProvider.get().reactor().description().split(",")[0]);
                    var other = new Thread(() -> Async.run(() -> Async.delay(1)));
                    other.setDaemon(false);
                    other.start();
                    try { other.join(); } catch (InterruptedException e) { throw new AssertionError(e); }
                }
                """);
        Result result = LauncherProcess.run(directory, WITHOUT_LIBUV, "run", "Reactor.java");
        assertThat(result.out()).isEqualTo("nio\n");
        assertThat(result.err())
                .hasLineCount(1)
                .startsWith("Reactor 'nio' is used, as the better one does not work here: libuv: ")
                .contains("/nonexistent (does not exist)")
                .contains("libuv1");
        assertThat(result.status()).isZero();
        assertThat(LauncherProcess.run(directory, WITHOUT_LIBUV, "--version").out())
                .contains("reactor nio, JDK sockets polled by the JDK, as this reactor has no descriptors, JDK");
    }

    @Test
    void libuvMissingButAskedFor_isAnErrorThatNamesThePackage() throws Exception {
        LauncherProcess.write(directory, "Hello.java", "void main() { IO.println(\"not reached\"); }");
        Result result = LauncherProcess.run(directory, WITHOUT_LIBUV, "run", "--reactor", "libuv", "Hello.java");
        assertThat(result.err())
                .startsWith("trueasync: Reactor 'libuv' does not work here: ")
                .contains("install it (Debian: libuv1")
                .hasLineCount(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void libuvMissingButNioAskedFor_nothingIsSaid() throws Exception {
        LauncherProcess.write(directory, "Hello.java", "void main() { IO.println(\"here\"); }");
        assertThat(LauncherProcess.run(directory, WITHOUT_LIBUV, "run", "--reactor", "nio", "Hello.java"))
                .isEqualTo(new Result(0, "here\n", ""));
    }

    private void assertRefused(String message, String... arguments) throws Exception {
        Result result = LauncherProcess.run(directory, arguments);
        assertThat(result.err()).startsWith("trueasync: ").contains(message).hasLineCount(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    private void compile(String name, String source) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, source);
        Path classes = Files.createDirectories(directory.resolve("classes"));
        SourceProgram.compile(file, List.of(), classes, new PrintWriter(System.err), new SourceTree());
    }

    private void jar(String name, String mainClass, String classPath, String entry) throws Exception {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (mainClass != null) {
            main.put(Attributes.Name.MAIN_CLASS, mainClass);
        }
        if (classPath != null) {
            main.put(Attributes.Name.CLASS_PATH, classPath);
        }
        try (OutputStream file = Files.newOutputStream(directory.resolve(name));
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            jar.putNextEntry(new JarEntry(entry));
            Files.copy(directory.resolve("classes").resolve(entry), jar);
        }
    }
}
