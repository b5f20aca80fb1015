package org.trueasync.races;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Nightly;

/**
 * Explores the programs of a module's race tests, those of the classes whose names end in RacesTest, in orders that
 * nobody has tried. Each program has the same time. One that fails is told with its seed, and has no further orders.
 */
public final class RacesOfANight {
    private static final int PORTION = 100;

    private final String part;
    private final List<String> failures = new ArrayList<>();
    /** Other numbers each second. */
    private final long first = System.currentTimeMillis() / 1_000 * 1_000_000;

    private RacesOfANight(String part) {
        this.part = part;
    }

    /**
     * Explores.
     *
     * @param part for the figures
     * @param budget for all programs together
     * @param nightly a class of the module
     * @throws AssertionError if one fails
     */
    public static void explore(String part, Duration budget, Class<?> nightly) throws Exception {
        new RacesOfANight(part).run(programs(nightly), budget);
    }

    private void run(List<Method> programs, Duration budget) throws Exception {
        long begun = System.nanoTime();
        long before = Orders.explored();
        for (int i = 0; i < programs.size(); i++) {
            long end = begun + budget.toNanos() / programs.size() * (i + 1);
            long next = first;
            do {
                Orders.are(PORTION, next);
                next += PORTION;
            } while (passes(programs.get(i)) && System.nanoTime() - end < 0);
        }
        long orders = Orders.explored() - before;
        long perSecond = orders * 1_000_000_000 / Math.max(1, System.nanoTime() - begun);
        Nightly.figure(
                part,
                String.format(
                        Locale.ROOT,
                        "%,d orders of %d programs, %,d a second, seeds from number %d, %s",
                        orders,
                        programs.size(),
                        perSecond,
                        first,
                        failures.isEmpty() ? "no failure" : failures.size() + " PROGRAMS HAVE FAILED"));
        if (!failures.isEmpty()) throw new AssertionError(String.join("\n\n", failures));
    }

    private boolean passes(Method program) throws Exception {
        var test = program.getDeclaringClass().getDeclaredConstructor();
        test.setAccessible(true);
        program.setAccessible(true);
        try {
            program.invoke(test.newInstance());
            return true;
        } catch (InvocationTargetException e) {
            failures.add(program.getDeclaringClass().getSimpleName() + "." + program.getName() + ": " + e.getCause());
            return false;
        }
    }

    private static List<Method> programs(Class<?> nightly) throws IOException, URISyntaxException {
        Path folder = Path.of(
                nightly.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> f.toString().endsWith("RacesTest.class"))
                    .map(f -> loaded(folder.relativize(f).toString()))
                    .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
                    .filter(m -> m.isAnnotationPresent(Test.class))
                    .sorted(Comparator.comparing(Method::toString))
                    .toList();
        }
    }

    private static Class<?> loaded(String file) {
        try {
            return Class.forName(
                    file.substring(0, file.length() - ".class".length()).replace('/', '.'));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
