package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncException;
import org.trueasync.spi.ReactorProvider;

class LibraryTest {
    /** Says what the provider says. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            LibuvProvider provider = new LibuvProvider();
            System.out.println("because: " + provider.unavailableBecause());
            try {
                provider.create().close();
                System.out.println("created");
            } catch (AsyncException e) {
                System.out.println("thrown: " + e.getMessage());
            }
        }
    }

    @Test
    void provider_isFoundAndUsable() {
        var provider = ServiceLoader.load(ReactorProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.name().equals("libuv"))
                .findFirst();
        assertThat(provider).isPresent();
        assertThat(provider.get().unavailableBecause()).isNull();
        try (var reactor = provider.get().create()) {
            assertThat(reactor.description()).matches("libuv 1\\.\\d+\\.\\d+");
        }
    }

    @Test
    void libraryNamed_isTheOneThatIsLoaded() throws Exception {
        String named = System.getProperty(UvLibrary.PROPERTY);
        Path maps = Path.of("/proc/self/maps");
        Assumptions.assumeTrue(named != null && Files.exists(maps), "no library is named, or this is no Linux");
        String file = Path.of(named).toRealPath().toString();
        try (var reactor = new LibuvProvider().create()) {
            assertThat(reactor.description()).startsWith("libuv");
            assertThat(Files.readAllLines(maps).stream().filter(line -> line.contains("libuv")))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith(file));
        }
    }

    @Test
    void libraryMissing_saysWhatWasTriedAndHowToInstallIt() throws Exception {
        String output = ChildJvm.run(
                List.of(), List.of(ChildJvm.ACCESS, "-Dorg.trueasync.libuv=/nowhere/libuv.so.1"), Main.class);
        assertThat(output)
                .contains(
                        "because: library libuv not found; tried /nowhere/libuv.so.1 (does not exist); install it (Debian: libuv1, macOS: brew"
                                + " install libuv)")
                .contains("thrown: no libuv reactor: library libuv not found")
                .endsWith("exit 0");
    }

    @Test
    void pathNotAbsolute_isRefused() throws Exception {
        String output =
                ChildJvm.run(List.of(), List.of(ChildJvm.ACCESS, "-Dorg.trueasync.libuv=libuv.so.1"), Main.class);
        assertThat(output)
                .contains("which must be an absolute path")
                .doesNotContain("created")
                .endsWith("exit 0");
    }

    @Test
    void fileIsNoLibrary_saysSo() throws Exception {
        String output =
                ChildJvm.run(List.of(), List.of(ChildJvm.ACCESS, "-Dorg.trueasync.libuv=/etc/passwd"), Main.class);
        assertThat(output).contains("is there but can't be loaded").endsWith("exit 0");
    }

    @Test
    void nativeAccessRefused_namesTheFlag() throws Exception {
        String output = ChildJvm.run(List.of(), List.of("--illegal-native-access=deny"), Main.class);
        assertThat(output)
                .contains("because: native access is refused; add --enable-native-access=org.trueasync.reactor.libuv")
                .endsWith("exit 0");
    }
}
