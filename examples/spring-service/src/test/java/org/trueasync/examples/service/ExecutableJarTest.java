package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;

/** The service as Boot's executable jar, made as Boot's plugins make it: by its {@link Repackager}. */
@Tag("deep")
class ExecutableJarTest {
    private static final Map<String, String> FLAGS =
            Map.of("Add-Opens", "java.base/java.lang", "Enable-Native-Access", "ALL-UNNAMED");

    @TempDir
    private static Path folder;

    private static List<File> libraries;

    @BeforeAll
    static void jarsOfWhatIsBuiltHere() throws IOException {
        Path own = classesOfTheService();
        libraries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> Files.exists(path) && !path.equals(own))
                .filter(path ->
                        !path.toString().matches(".*[/\\\\](test-classes|launcher[/\\\\]target[/\\\\][^/\\\\]*)"))
                .map(path -> Files.isDirectory(path) ? jarOf(path, Map.of()) : path)
                .map(Path::toFile)
                .toList();
    }

    private static Path classesOfTheService() {
        return Path.of(Service.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    /** A jar with the classes of a folder {@code module/target/classes}. */
    private static Path jarOf(Path classes, Map<String, String> attributes) {
        Path jar = folder.resolve(classes.getParent().getParent().getFileName() + "-" + attributes.size() + ".jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> content = Files.walk(classes)) {
            for (Path path : content.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(path).toString().replace(File.separatorChar, '/');
                if (name.equals("META-INF/MANIFEST.MF")) continue;
                out.putNextEntry(new ZipEntry(name));
                Files.copy(path, out);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return jar;
    }

    private static Path executable(Map<String, String> attributes) throws IOException {
        var repackager = new Repackager(jarOf(classesOfTheService(), attributes).toFile());
        repackager.setBackupSource(false);
        repackager.setMainClass(Service.class.getName());
        Path executable = folder.resolve("service-" + attributes.size() + ".jar");
        repackager.repackage(executable.toFile(), callback -> {
            for (File library : libraries) callback.library(new Library(library, LibraryScope.COMPILE));
        });
        return executable;
    }

    private static void assertServesToItsEnd(RunningService service) throws Exception {
        assertThat(service.send(service.request("/items/1")).body()).contains("lamp");
        var slow = service.begin(service.request("/slow?millis=1000"));
        service.awaitLog("works for 1000 ms");
        service.sendSigterm();
        assertThat(service.awaitExit()).as(service.log()).isEqualTo(143);
        assertThat(slow.get().statusCode()).isEqualTo(200);
        assertThat(service.log())
                .contains("worked for 1000 ms", "Graceful shutdown complete")
                .doesNotContain(" ERROR ", " WARN ", "WARNING", "Exception");
    }

    @Test
    void jarWithTheFlagsInItsManifest_startsByItself() throws Exception {
        try (RunningService service = RunningService.ofJar(executable(FLAGS))) {
            assertServesToItsEnd(service);
        }
    }

    @Test
    void jar_startsUnderTheCommand() throws Exception {
        try (RunningService service = RunningService.ofJarUnderTheCommand(executable(Map.of()))) {
            assertServesToItsEnd(service);
        }
    }

    @Test
    void jarWithoutTheFlags_saysWhatToAdd() {
        assertThatThrownBy(() -> RunningService.ofJar(executable(Map.of())).close())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Add-Opens: java.base/java.lang to the manifest");
    }
}
