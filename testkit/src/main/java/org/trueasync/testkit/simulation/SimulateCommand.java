package org.trueasync.testkit.simulation;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the command {@code trueasync simulate} does. The launcher calls it by name, as it is compiled without the test
 * kit. The scenarios of a class are its methods {@code void name(Simulation)} that are not private; each seed gets an
 * instance of its own.
 */
final class SimulateCommand {
    /** Set in the processes of {@code --jobs}: which seeds, of which scenario, and where their report goes. */
    private static final String SHARE = "org.trueasync.testkit.share";

    private final Class<?> type;
    private final Path folder;
    private final Function<List<String>, ProcessBuilder> processes;
    private final Consumer<String> messages;
    private final Consumer<String> results;

    /**
     * A command that does nothing yet.
     *
     * @param type the program's class
     * @param folder for reports; exists until the process ends
     * @param processes how to run the same command in another process, with some flags for its JVM
     * @param messages gets what is said on the way
     * @param results gets what is said at the end
     */
    SimulateCommand(
            Class<?> type,
            Path folder,
            Function<List<String>, ProcessBuilder> processes,
            Consumer<String> messages,
            Consumer<String> results) {
        this.type = type;
        this.folder = folder;
        this.processes = processes;
        this.messages = messages;
        this.results = results;
    }

    /**
     * Runs the scenarios, one after another, until one fails.
     *
     * @param scenario the name of the only one, or null
     * @param first the first seed
     * @param seeds how many, 1 or more
     * @param jobs in how many processes, 1 or more
     * @return true if no seed fails
     * @throws IllegalArgumentException if there is no such scenario; the message is for the user
     */
    boolean run(@Nullable String scenario, long first, long seeds, int jobs) throws IOException, InterruptedException {
        String share = System.getProperty(SHARE);
        if (share != null) {
            String[] parts = share.split(",", 4);
            Scenario shared = scenario(chosen(parts[0]).getFirst());
            SeedShare.work(shared, Long.parseLong(parts[1]), Long.parseLong(parts[2]), Path.of(parts[3]));
            return true;
        }
        List<Method> all = chosen(scenario);
        for (Method one : all) {
            String prefix = all.size() == 1 ? "" : one.getName() + ": ";
            var progress = new SeedProgress(prefix, first, seeds, messages, results);
            if (!progress.follow(shares(one, first, seeds, jobs))) return false;
        }
        return true;
    }

    private List<SeedShare> shares(Method scenario, long first, long seeds, int jobs) throws IOException {
        if (jobs == 1) return List.of(SeedShare.here(scenario(scenario), first, seeds));
        var shares = new ArrayList<SeedShare>();
        for (int job = 0; job < jobs; job++) {
            long from = first + seeds * job / jobs;
            long count = first + seeds * (job + 1) / jobs - from;
            if (count == 0) continue;
            Path report = folder.resolve(scenario.getName() + "-" + job);
            String flag = "-D" + SHARE + "=" + String.join(",", scenario.getName(), "" + from, "" + count, "" + report);
            shares.add(SeedShare.of(processes.apply(List.of(flag)), report));
        }
        return shares;
    }

    // ---- scenarios

    private List<Method> chosen(@Nullable String name) {
        List<Method> all = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {Simulation.class}))
                .filter(method -> method.getReturnType() == void.class)
                .filter(method -> !method.isSynthetic() && !Modifier.isPrivate(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        if (all.isEmpty())
            throw new IllegalArgumentException("class " + type.getName()
                    + " has no scenario, a method 'void name(Simulation sim)' that is not private");
        if (name == null) return all;
        List<Method> one =
                all.stream().filter(method -> method.getName().equals(name)).toList();
        if (one.isEmpty())
            throw new IllegalArgumentException("no scenario '" + name + "' in class " + type.getName() + "; it has "
                    + String.join(", ", all.stream().map(Method::getName).toList()));
        return one;
    }

    private Scenario scenario(Method method) {
        method.setAccessible(true);
        return sim -> {
            try {
                method.invoke(Modifier.isStatic(method.getModifiers()) ? null : instance(), sim);
            } catch (InvocationTargetException e) {
                throw Objects.requireNonNullElse(e.getCause(), e);
            }
        };
    }

    private Object instance() throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
