package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.Attributes;
import org.jspecify.annotations.Nullable;

/** A program in an executable jar, as for {@code java -jar}. */
final class JarProgram {
    private final Path jar;
    private final Attributes attributes;

    /**
     * Reads the jar's manifest.
     *
     * @throws UsageException if the file is no jar
     */
    JarProgram(Path jar) throws UsageException {
        this.jar = jar;
        try {
            attributes = JarManifest.of(jar);
        } catch (IOException e) {
            throw new UsageException(jar + " is not a jar: " + e.getMessage());
        }
    }

    /**
     * The class to start.
     *
     * @throws UsageException if the manifest names none
     */
    String mainClass() throws UsageException {
        String mainClass = attributes.getValue(Attributes.Name.MAIN_CLASS);
        if (mainClass == null) {
            throw new UsageException(
                    jar + " names no Main-Class in its manifest; use trueasync run -cp " + jar + " MainClass");
        }
        return mainClass.trim();
    }

    /**
     * Does everything else that the manifest asks of a launcher, in the JDK's order.
     *
     * @throws UsageException if something of it is not possible
     */
    void prepare() throws UsageException {
        if (attributes.getValue("Launcher-Agent-Class") != null) JdkAccess.startAgent(jar.toString());
        addToAllUnnamed(attributes.getValue("Add-Exports"), false);
        addToAllUnnamed(attributes.getValue("Add-Opens"), true);
        String nativeAccess = attributes.getValue("Enable-Native-Access");
        if (nativeAccess == null) return;
        if (!nativeAccess.trim().equals("ALL-UNNAMED")) {
            throw new UsageException("Enable-Native-Access in the manifest of " + jar + " must be ALL-UNNAMED, got '"
                    + nativeAccess + "'");
        }
        JdkAccess.enableNativeAccess();
    }

    private static void addToAllUnnamed(@Nullable String list, boolean open) throws UsageException {
        if (list == null) return;
        for (String element : list.split(" +", -1)) {
            int slash = element.indexOf('/');
            if (slash > 0) JdkAccess.addToAllUnnamed(element.substring(0, slash), element.substring(slash + 1), open);
        }
    }
}
