package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.trueasync.launcher.LauncherProcess.Result;

/**
 * The command as it is installed, made of what the build has compiled: our modules on the module path where they have
 * descriptors, drivers beside them.
 */
final class Installed {
    private static final String LAUNCHER = "org.trueasync.launcher";
    private final Path root;
    private final List<String> places = new ArrayList<>();
    private boolean modules = true;

    /** Copies the launcher, which looks for the drivers beside itself, below this directory. */
    Installed(Path root) throws Exception {
        this.root = root;
        Files.createDirectories(drivers());
        for (String place : LauncherProcess.classPath()) {
            Path from = Path.of(place);
            boolean own = Files.exists(from.resolve(LAUNCHER.replace('.', '/')));
            if (own) copy(from, root.resolve("modules/launcher"));
            places.add(own ? root.resolve("modules/launcher").toString() : place);
            modules &= !Files.isDirectory(from) || Files.exists(from.resolve("module-info.class"));
        }
    }

    /** Where jars lie that the command puts behind a program's own. */
    Path drivers() {
        return root.resolve("drivers");
    }

    /** Whether ours are modules here: an incremental build may have left their descriptors out. */
    boolean isModular() {
        return modules;
    }

    Result run(Path directory, String... arguments) throws Exception {
        return run(directory, List.of(), arguments);
    }

    Result run(Path directory, List<String> flags, String... arguments) throws Exception {
        return LauncherProcess.execute(
                directory, new ProcessBuilder(command(flags, arguments)).redirectInput(new File("/dev/null")), "");
    }

    List<String> command(List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>(List.of(LauncherProcess.java()));
        String ours = modules ? "org.trueasync,org.trueasync.launcher" : "ALL-UNNAMED";
        command.addAll(List.of("--add-opens", "java.base/java.lang=" + ours));
        command.addAll(List.of("--add-exports", "java.base/jdk.internal.vm=" + (modules ? LAUNCHER : ours)));
        command.add("--enable-native-access=" + (modules ? "org.trueasync.reactor.libuv" : ours));
        command.addAll(flags);
        String path = String.join(File.pathSeparator, places);
        if (modules) {
            command.addAll(List.of("--add-modules", "ALL-DEFAULT", "--class-path", "", "--module-path", path));
            command.addAll(List.of("--module", LAUNCHER + "/" + Main.class.getName()));
        } else {
            command.addAll(List.of("--class-path", path, Main.class.getName()));
        }
        command.addAll(LauncherProcess.unwatched(List.of(arguments)));
        return command;
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> tree = Files.walk(from)) {
            all = tree.collect(Collectors.toList());
        }
        for (Path path : all) {
            Path target = to.resolve(from.relativize(path).toString());
            if (Files.isDirectory(path)) Files.createDirectories(target);
            else Files.copy(path, target);
        }
    }
}
