package org.trueasync.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of this process, for further processes that do the same. */
final class Relaunch {
    private static final String MAIN = Main.class.getName();

    private Relaunch() {}

    /**
     * Returns the command line. Call it before a program's class path is set.
     *
     * @param words the arguments of {@code main}
     */
    static List<String> command(String... words) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JdkAccess.flags());
        String module = Main.class.getModule().getName();
        command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
        if (module != null) command.addAll(List.of("--module", module + "/" + MAIN));
        else command.add(MAIN);
        command.addAll(List.of(words));
        return command;
    }

    /** A process with this command line and further flags for its JVM. */
    static ProcessBuilder with(List<String> command, List<String> flags) {
        var longer = new ArrayList<>(command);
        longer.addAll(1, flags);
        var builder = new ProcessBuilder(longer);
        // its flags are among those of the command
        builder.environment().remove("JDK_JAVA_OPTIONS");
        return builder;
    }
}
