package jdktime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.jdk.Agent;
import org.trueasync.internal.testkit.jdk.JdkTime;
import org.trueasync.testkit.VirtualTime;

/** How the agent gets in, and what a run says of the threads that it has started. */
class AgentStartTest {
    @TempDir
    Path directory;

    /** Prints how much virtual time a sleep takes. */
    public static final class Program {
        public static void main(String... arguments) {
            VirtualTime.run(() -> {
                Thread.sleep(3);
                System.out.println(VirtualTime.elapsed().toMillis());
            });
        }
    }

    private String output(String... flags) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(flags));
        command.add(Program.class.getName());
        Path output = directory.resolve("output");
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        return Files.readString(output);
    }

    @Test
    @Tag("deep")
    void withoutFlags_startsByItselfAndWithoutAWarning() throws Exception {
        assertThat(output()).isEqualToIgnoringNewLines("3");
    }

    @Test
    @Tag("deep")
    void switchedOff_theJdkWaitsInRealTime() throws Exception {
        assertThat(output("-D" + JdkTime.PROPERTY + "=false")).isEqualToIgnoringNewLines("0");
    }

    @Test
    @Tag("deep")
    void refused_isSaidOnce() throws Exception {
        String[] lines = output("--limit-modules=java.base,java.management").split("\\R");
        assertThat(lines)
                .filteredOn(line -> line.contains("the test kit's agent could not start"))
                .hasSize(1);
        assertThat(lines).contains("0");
    }

    @Test
    @Tag("deep")
    void namedAsAnAgent_startsBeforeTheProgram() throws Exception {
        var manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(new Attributes.Name("Premain-Class"), Agent.class.getName());
        attributes.put(new Attributes.Name("Can-Retransform-Classes"), "true");
        Path jar = directory.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        assertThat(output("-javaagent:" + jar)).isEqualToIgnoringNewLines("3");
    }

    @Test
    void platformThreadStarted_isRememberedWithItsPlace() throws InterruptedException {
        var reactor = new VirtualReactor();
        reactor.enterJdkTime();
        try {
            Thread.ofPlatform().name("stray").start(() -> {}).join();
        } finally {
            reactor.leaveJdkTime();
        }
        assertThat(reactor.escapes()).singleElement().satisfies(escape -> {
            assertThat(escape).hasMessageContaining("'stray'");
            assertThat(escape.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().equals(AgentStartTest.class.getName()));
        });
    }
}
