package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class CacheDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void directoryThatIsMissing_isCreatedForItsOwnerAlone() throws Exception {
        Path wanted = directory.resolve("a/b");
        assertThat(CacheDirectory.find(Map.of("TRUEASYNC_CACHE", wanted.toString())))
                .isEqualTo(wanted);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(wanted)))
                .isEqualTo("rwx------");
    }

    @Test
    void variables_haveAnOrder() {
        String home = directory.resolve("home").toString();
        String caches = directory.resolve("caches").toString();
        assertThat(CacheDirectory.find(Map.of("HOME", home))).isEqualTo(Path.of(home, ".cache/trueasync"));
        assertThat(CacheDirectory.find(Map.of("HOME", home, "XDG_CACHE_HOME", caches)))
                .isEqualTo(Path.of(caches, "trueasync"));
        assertThat(CacheDirectory.find(Map.of("HOME", home, "XDG_CACHE_HOME", "relative")))
                .isEqualTo(Path.of(home, ".cache/trueasync"));
        assertThat(CacheDirectory.find(Map.of("HOME", home, "TRUEASYNC_CACHE", "off")))
                .isNull();
        assertThat(CacheDirectory.find(Map.of())).isNull();
    }

    @Test
    void link_isRefused() throws Exception {
        Path real = privately(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        assertThat(find(real)).isEqualTo(real);
        assertThat(find(link)).isNull();
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nothing"));
        assertThat(find(dangling)).isNull();
        assertThat(directory.resolve("nothing")).doesNotExist();
    }

    @Test
    void directoryThatOthersMayWriteTo_isRefused() throws Exception {
        Path open = privately(directory.resolve("open"));
        for (String mode : List.of("rwxrwx---", "rwxr-xrwx", "rwx-w----")) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
            assertThat(find(open)).as(mode).isNull();
        }
        // others may have made it first, for files of their own, with the usual mode
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(find(open)).isEqualTo(open);
    }

    @Test
    void directoryOfAnotherUser_isRefused() throws Exception {
        Path theirs = privately(directory.resolve("theirs"));
        assumeThat(System.getProperty("user.name"))
                .as("only root can give it away")
                .isEqualTo("root");
        Files.setAttribute(theirs, "unix:uid", 65_534);
        assertThat(find(theirs)).isNull();
        assertThat(find(theirs.resolve("below"))).isNull();
        assertThat(theirs).isEmptyDirectory();
    }

    @Test
    void fileInItsPlace_isRefused() throws Exception {
        assertThat(find(Files.createFile(directory.resolve("file")))).isNull();
    }

    private static Path find(Path wanted) {
        return CacheDirectory.find(Map.of("TRUEASYNC_CACHE", wanted.toString()));
    }

    private static Path privately(Path wanted) throws Exception {
        return Files.createDirectory(
                wanted, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
