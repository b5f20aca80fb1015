package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The distribution that the build of the launcher has packed: unpacked, and run by a user who may not write there. */
@Tag("deep")
@EnabledOnOs(OS.LINUX)
class DistributionTest {
    private static final Path PACKED = Path.of("").toAbsolutePath().resolveSibling("launcher/target");
    private static final String LOADED = "org.trueasync.launcher.Main source: shared objects file";
    private static final Duration PATIENCE = Duration.ofSeconds(240);

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private Path root;
    private Path home;

    private record Result(int status, String out, String err) {}

    private static final Result HELLO = new Result(0, "hello world\n", "");

    @BeforeEach
    void unpack() throws Exception {
        List<Path> packed;
        try (Stream<Path> found = Files.isDirectory(PACKED) ? Files.list(PACKED) : Stream.empty()) {
            packed = found.filter(file -> file.getFileName().toString().matches("trueasync-\\d.*\\.tar\\.gz"))
                    .toList();
        }
        assumeThat(packed).as("packed by mvn verify, not by -Dquick").hasSize(1);
        Path away = Files.createDirectory(directory.resolve("some place"));
        Process tar = new ProcessBuilder("tar", "xzf", packed.getFirst().toString())
                .directory(away.toFile())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        try (Stream<Path> found = Files.list(away)) {
            root = found.toList().getFirst();
        }
        home = Files.createDirectory(directory.resolve("home"));
        Files.createDirectory(directory.resolve("out"));
        Path tools = Files.createDirectory(directory.resolve("tools"));
        Path mvn = Files.writeString(tools.resolve("mvn"), "#!/bin/sh\necho mvn was called\nexit 1\n");
        Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
        environment.put("PATH", tools + File.pathSeparator + System.getenv("PATH"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", home.toString());
        // anybody may use it, nobody may write to it
        Process modes = new ProcessBuilder("chmod", "-R", "a+rX,a-w", away.toString())
                .inheritIO()
                .start();
        assertThat(modes.waitFor()).isZero();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (isRoot()) {
            for (Path theirs : List.of(home, directory.resolve("out"))) Files.setAttribute(theirs, "unix:uid", NOBODY);
        }
    }

    @AfterEach
    void permitRemoval() throws Exception {
        new ProcessBuilder("chmod", "-R", "u+w", directory.toString()).start().waitFor();
    }

    @Test
    void command_worksWhereNobodyMayWrite() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), root.resolve("bin/trueasync"));
        environment.put("TRUEASYNC_CACHE", "off");
        assertThat(run("run", hello())).isEqualTo(HELLO);
        assertThat(run("run", "--reactor", "nio", hello())).isEqualTo(HELLO);
        assertThat(start(link, "run", hello()).result()).isEqualTo(HELLO);
        Result version = run("--version");
        assertThat(version.out()).startsWith("trueasync ").contains("reactor libuv");
        assertThat(version.err()).isEmpty();
        assertThat(run("--help").out()).startsWith("Usage: trueasync run");
        assertThat(root.resolve("LICENSE")).exists();
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void laterRuns_loadFromTheArchiveThatTheFirstOnesHadMade() throws Exception {
        List<Started> first = new ArrayList<>();
        for (int i = 0; i < 3; i++) first.add(start(command(), "run", hello()));
        for (Started one : first) assertThat(one.result()).isEqualTo(HELLO);
        Path cache = home.resolve(".cache/trueasync");
        Path archive = archive(cache);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
                .isEqualTo("rwx------");
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left.map(file -> file.toString().replaceAll(".*\\.", "")))
                    .containsExactlyInAnyOrder("aot", "jar");
        }
        assertThat(run("run", hello())).isEqualTo(HELLO);
        assertThat(loaded("")).contains(LOADED);
        // what the user wants of the JVM goes first, and nothing is said about the archive
        assertThat(loaded("-XX:+UseG1GC ")).contains("org.trueasync.launcher.Main ");
        assertThat(loaded("-XX:-UseCompactObjectHeaders ")).doesNotContain(LOADED);
        assertThat(loaded("-XX:-UseCompressedOops ")).contains("org.trueasync.launcher.Main ");
        assertThat(loaded("--enable-preview ")).contains("org.trueasync.launcher.Main ");
        Files.write(archive, new byte[100_000]);
        assertThat(run("run", hello())).isEqualTo(HELLO);
        // an archive that can't be made
        Files.write(archive, new byte[0]);
        assertThat(run("run", hello())).isEqualTo(HELLO);
        Thread.sleep(Duration.ofMillis(500));
        assertThat(archive).isEmptyFile();
    }

    @Test
    void cacheThatIsALink_isNotUsed() throws Exception {
        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        Files.createDirectory(home.resolve(".cache"));
        Files.createSymbolicLink(home.resolve(".cache/trueasync"), elsewhere);
        if (isRoot()) Files.setAttribute(elsewhere, "unix:uid", NOBODY);
        assertThat(run("run", hello())).isEqualTo(HELLO);
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void cacheThatCannotBeMade_isNoMatter() throws Exception {
        environment.put("HOME", "/nonexistent");
        assertThat(run("run", hello())).isEqualTo(HELLO);
    }

    /** The JVM's list of what it loads from where, with these options. */
    private String loaded(String options) throws Exception {
        Path log = directory.resolve("out").resolve("loaded.log");
        environment.put("JDK_JAVA_OPTIONS", options + "-Xlog:class+load:file=" + log);
        Result result = run("run", hello());
        environment.remove("JDK_JAVA_OPTIONS");
        assertThat(result.out()).isEqualTo(HELLO.out());
        assertThat(result.err()).startsWith("NOTE: Picked up JDK_JAVA_OPTIONS").hasLineCount(1);
        return Files.readString(log);
    }

    private static Path archive(Path cache) throws Exception {
        Instant end = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(end)) {
            Thread.sleep(Duration.ofMillis(100));
            List<Path> all;
            try (Stream<Path> found = Files.list(cache)) {
                all = found.toList();
            }
            List<Path> made = all.stream()
                    .filter(file -> file.toString().endsWith(".aot"))
                    .toList();
            if (!made.isEmpty()
                    && all.stream().noneMatch(file -> file.toString().endsWith(".new"))) {
                assertThat(made).hasSize(1);
                assertThat(made.getFirst()).isNotEmptyFile();
                return made.getFirst();
            }
        }
        throw new AssertionError("no archive within " + PATIENCE);
    }

    private static final int NOBODY = 65534;

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private String hello() {
        return root.resolve("examples/Hello.java").toString();
    }

    private Path command() {
        return root.resolve("bin/trueasync");
    }

    private Result run(String... arguments) throws Exception {
        return start(command(), arguments).result();
    }

    private record Started(Process process, Path out, Path err) {
        Result result() throws Exception {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "still running; out: " + Files.readString(out) + " err: " + Files.readString(err));
            }
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
        }
    }

    private Started start(Path command, String... arguments) throws Exception {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            assumeThat(Stream.of("/usr/bin/setpriv", "/bin/setpriv")
                            .map(Path::of)
                            .anyMatch(Files::isExecutable))
                    .as("only setpriv can run something as another user")
                    .isTrue();
            all.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        all.add(command.toString());
        all.addAll(List.of(arguments));
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(root.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "TRUEASYNC_CACHE", "XDG_CACHE_HOME")) {
            builder.environment().remove(variable);
        }
        builder.environment().putAll(environment);
        return new Started(builder.start(), out, err);
    }
}
