package org.trueasync.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;

/** The agent in JVMs without any flag. */
class AgentTest {
    @TempDir
    Path directory;

    @Test
    void agentInPlaceOfTheFlag_programRuns() throws Exception {
        assertThat(outputOf(Program.class)).contains("ran").doesNotContain("Exception");
    }

    @Test
    void libraryOnAnotherClassLoader_agentOpensToThatOneAlone() throws Exception {
        assertThat(outputOf(Container.class)).contains("ran", "open to the program: false", "open to itself: false");
    }

    public static final class Program {
        public static void main(String... arguments) {
            Async.run(() -> System.out.println("ran"));
        }
    }

    /** Loads library and program as a container does: beside its own classes. */
    public static final class Container {
        public static void main(String... arguments) throws Exception {
            List<URL> path = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator))
                path.add(Path.of(entry).toUri().toURL());
            try (var inside = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
                    var other = new URLClassLoader(new URL[0], inside)) {
                inside.loadClass(Program.class.getName())
                        .getMethod("main", String[].class)
                        .invoke(null, (Object) new String[0]);
                System.out.println("open to the program: " + isOpen(other.getUnnamedModule()));
                System.out.println("open to itself: " + isOpen(Container.class.getModule()));
            }
        }

        private static boolean isOpen(Module to) {
            return Object.class.getModule().isOpen("java.lang", to);
        }
    }

    private String outputOf(Class<?> main) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + agentJar(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.waitFor();
        return Files.readString(output);
    }

    private Path agentJar() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), Agent.class.getName());
        Path jar = directory.resolve("agent.jar");
        String file = Agent.class.getName().replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                var in = Agent.class.getResourceAsStream("/" + file)) {
            out.putNextEntry(new JarEntry(file));
            in.transferTo(out);
        }
        return jar;
    }
}
