package org.trueasync.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.trueasync.spi.ReactorProvider;

/** One line that says what runs here: the version of TrueAsync, the reactor a program would get, the JDK. */
final class VersionLine {
    private VersionLine() {}

    static String text() {
        String reactor = ReactorProvider.installed().stream()
                .filter(provider -> provider.unavailableBecause() == null)
                .findFirst()
                .map(provider -> "reactor " + provider.name())
                .orElse("no usable reactor");
        return "trueasync " + version() + " (" + reactor + ", JDK " + Runtime.version() + ")";
    }

    private static String version() {
        Properties build = new Properties();
        try (InputStream in = VersionLine.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty("version", "(unknown version)");
    }
}
