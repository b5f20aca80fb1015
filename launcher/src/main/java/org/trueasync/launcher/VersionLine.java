package org.trueasync.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;
import org.trueasync.spi.SchedulerProvider;

/**
 * Makes the version line: the version of TrueAsync, the reactor that a program would get, what polls the sockets of JDK
 * code there, and the JDK's version.
 */
final class VersionLine {
    private VersionLine() {}

    static String text() {
        String reactor = ReactorProvider.installed().stream()
                .filter(provider -> provider.unavailableBecause() == null)
                .findFirst()
                .map(VersionLine::text)
                .orElse("no usable reactor");
        return "trueasync " + build("version") + " (" + reactor + ", JDK " + Runtime.version() + ")";
    }

    private static String text(ReactorProvider provider) {
        try (Reactor reactor = provider.create()) {
            return "reactor " + provider.name() + ", JDK sockets polled by "
                    + SchedulerProvider.get().socketPolling(reactor);
        }
    }

    /** A version that the build has noted: {@code version} is TrueAsync's own. */
    static String build(String name) {
        Properties build = new Properties();
        try (InputStream in = VersionLine.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty(name, "(unknown version)");
    }
}
