package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** What {@code trueasync new} makes. */
class NewProjectTest {
    @TempDir
    Path directory;

    private String make(String kind, String name) throws Exception {
        return NewProject.make((Command.New) CommandLine.parse("new", kind, name), directory);
    }

    @Test
    void service_hasAllThatABuildNeeds() throws Exception {
        assertThat(make("service", "order-desk"))
                .startsWith("Made order-desk. Next, there:\n  mvn package\n  java -jar target/order-desk.jar\n");
        assertThat(files("order-desk"))
                .containsOnlyKeys(
                        ".gitignore",
                        "Dockerfile",
                        "README.md",
                        "pom.xml",
                        "src/main/java/orderdesk/Main.java",
                        "src/main/java/orderdesk/Service.java",
                        "src/main/java/orderdesk/Suppliers.java",
                        "src/test/java/orderdesk/ServiceTest.java",
                        "trueasync.args")
                .containsEntry("trueasync.args", flagsOfTheGuide())
                .allSatisfy((name, text) -> assertThat(text).doesNotContainPattern("@[a-z]+@|unknown version"));
    }

    @Test
    void library_needsCoreAlone() throws Exception {
        assertThat(make("library", "patience")).startsWith("Made patience. Next, there:\n  mvn verify\n");
        assertThat(files("patience"))
                .containsOnlyKeys(
                        ".gitignore",
                        "README.md",
                        "pom.xml",
                        "src/main/java/patience/Retry.java",
                        "src/test/java/patience/RetryTest.java",
                        "trueasync.args")
                .allSatisfy((name, text) -> assertThat(text).doesNotContainPattern("@[a-z]+@|unknown version"));
    }

    @Test
    void script_isOneFileThatCompiles() throws Exception {
        assertThat(make("script", "Weather.java"))
                .isEqualTo("Made Weather.java. Next:\n  trueasync run Weather.java\n");
        Path classes = Files.createDirectory(directory.resolve("classes"));
        assertThat(SourceProgram.compile(
                        directory.resolve("Weather.java"),
                        List.of(),
                        classes,
                        new PrintWriter(System.err),
                        new SourceTree()))
                .isEqualTo("Weather");
    }

    @Test
    void badNames_areRefused() {
        for (String bad : List.of("Shop", "../shop", "-shop", "shop-", "a--b", "/tmp/x", "1st", "tür", ""))
            assertThatThrownBy(() -> NewProject.make(new Command.New("service", bad), directory))
                    .as(bad)
                    .isInstanceOf(UsageException.class)
                    .hasMessage("a project's name has small letters, digits and '-', such as order-service, got '" + bad
                            + "'");
        assertThatThrownBy(() -> make("library", "switch"))
                .hasMessage("'switch' is a word of Java, and would be the name of the package");
        for (String bad : List.of("a/B", "fetch-all", "class", ".java"))
            assertThatThrownBy(() -> make("script", bad))
                    .hasMessage("a script's name is that of a class, such as Weather, got '" + bad + "'");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void whatIsThere_isLeftAlone() throws Exception {
        Files.createDirectory(directory.resolve("shop"));
        Files.createSymbolicLink(directory.resolve("Link.java"), Path.of("nowhere"));
        assertThatThrownBy(() -> make("service", "shop")).hasMessage("shop is there already; choose another name");
        assertThatThrownBy(() -> make("script", "Link")).hasMessage("Link.java is there already; choose another name");
        assertThat(directory.resolve("shop")).isEmptyDirectory();
    }

    @Test
    void wrongWords_areRefusedWithTheWayOut() throws Exception {
        assertThatThrownBy(() -> CommandLine.parse("new"))
                .hasMessage("a new what? trueasync new service|library|script NAME");
        assertThatThrownBy(() -> CommandLine.parse("new", "service"))
                .hasMessage("which name? trueasync new service|library|script NAME");
        assertThatThrownBy(() -> CommandLine.parse("new", "servce", "x"))
                .hasMessage("a new servce can't be made; did you mean service?");
        assertThatThrownBy(() -> CommandLine.parse("new", "script", "A", "B"))
                .hasMessageStartingWith("one name at a time, got 'B' too");
        assertThatThrownBy(() -> CommandLine.parse("new", "script", "--fast", "A"))
                .hasMessageStartingWith("unknown option --fast");
        assertThat(CommandLine.parse("new", "--help")).isEqualTo(new Command.Help());
    }

    @Test
    @Tag("deep")
    void script_runs() throws Exception {
        assertThat(LauncherProcess.run(directory, "new", "script", "Weather").status())
                .isZero();
        assertThat(LauncherProcess.run(directory, "run", "Weather.java", "Rome"))
                .isEqualTo(new Result(0, "Rome: 12 degrees\n", ""));
    }

    @Test
    @Tag("deep")
    void library_isBuiltAndTested() throws Exception {
        make("library", "patience");
        maven(directory.resolve("patience"), "verify");
        assertThat(directory.resolve("patience/target/surefire-reports/patience.RetryTest.txt"))
                .content()
                .contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
    }

    @Test
    @Tag("deep")
    void service_isBuiltTestedStartedAndDrained() throws Exception {
        make("service", "shop");
        Path shop = directory.resolve("shop");
        maven(shop, "package");
        assertThat(shop.resolve("target/surefire-reports/shop.ServiceTest.txt"))
                .content()
                .contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
        // the steps of the Dockerfile, without Docker
        Path place = Files.createDirectory(directory.resolve("opt"));
        Files.move(shop.resolve("target/lib"), place.resolve("lib"));
        Files.move(shop.resolve("target/shop.jar"), place.resolve("shop.jar"));
        String docker = Files.readString(shop.resolve("Dockerfile"));
        String archive = docker.replaceAll("(?s).*\nRUN (timeout [^\n]*)\n.*", "$1");
        assertThat(shell(place, archive).status()).isZero();
        String start =
                docker.replaceAll("(?s).*\nENTRYPOINT \\[([^\n]*)]\n.*", "$1").replaceAll("[\",]+ ?\"?", " ");
        ProcessBuilder service = builder(place, "exec " + start).redirectErrorStream(true);
        Process process = service.start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String listening = out.readLine();
            assertThat(listening).startsWith("listening at http://localhost:");
            int port = Integer.parseInt(listening.replaceAll(".*:", ""));
            try (Socket client = new Socket("127.0.0.1", port)) {
                client.getOutputStream()
                        .write("GET /offers/tea HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("{\"item\":\"tea\",\"price\":30,\"stock\":3}");
            }
            process.toHandle().destroy(); // SIGTERM
            assertThat(process.waitFor()).isEqualTo(143);
            assertThat(out.readLine()).isNull();
        } finally {
            process.destroyForcibly();
        }
    }

    private Map<String, String> files(String project) throws Exception {
        Path root = directory.resolve(project);
        var files = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList())
                files.put(root.relativize(file).toString(), Files.readString(file));
        }
        return files;
    }

    private static String flagsOfTheGuide() throws Exception {
        String guide = Files.readString(
                Path.of("").toAbsolutePath().resolveSibling("docs").resolve("guide/library.md"));
        return guide.replaceAll("(?s).*On the class\npath it says:\n\n```text\n(.*?)```.*", "$1");
    }

    /** Builds with what the build has installed; where that is nothing, {@code .ci/fresh-projects} does the same. */
    private static void maven(Path project, String goal) throws Exception {
        String repository = System.getProperty("localRepository", "");
        Path installed = Path.of(repository, "org/trueasync/trueasync-http", VersionLine.build("version"));
        Assumptions.assumeTrue(Files.exists(installed), "mvn install has put nothing there");
        Result result = shell(project, "mvn -B -q -Dmaven.repo.local='" + repository + "' " + goal);
        assertThat(result.status()).as(result.out() + result.err()).isZero();
    }

    private static Result shell(Path where, String command) throws Exception {
        return LauncherProcess.execute(where, builder(where, command).redirectInput(new File("/dev/null")), "");
    }

    private static ProcessBuilder builder(Path where, String command) {
        var builder = new ProcessBuilder(List.of("bash", "-c", command)).directory(where.toFile());
        String home = System.getProperty("java.home");
        builder.environment().put("JAVA_HOME", home);
        builder.environment().put("PATH", home + "/bin:" + System.getenv("PATH"));
        builder.environment().put("PORT", "0");
        return builder;
    }
}
