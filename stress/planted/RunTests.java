import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherConstants;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes of a module as the default build does, one after another, for {@code .ci/planted}; prints the tests
 * that fail. It ends with 1 once as many classes have failed as it was told, or at the first failure if that is one
 * class; with 0 if none has.
 *
 * <p>Arguments: the folder of the compiled tests, how many classes may fail before it stops, and the classes' simple
 * names; without any, all whose name ends in Test, except for those of
 * the architecture, which look at the class path.
 */
public final class RunTests {
    private static final String LIMIT = "20 s";

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        int enough = Integer.parseInt(args[1]);
        List<String> names = Arrays.asList(args).subList(2, args.length);
        List<String> all = classes(folder);
        List<String> chosen = new ArrayList<>();
        if (names.isEmpty())
            all.stream().filter(c -> c.endsWith("Test") && !c.contains("Architecture")).sorted().forEach(chosen::add);
        for (String name : names) chosen.add(named(name, all));
        var failures = new Failures(enough == 1);
        int failed = 0;
        for (String one : chosen) {
            int before = failures.count;
            run(one, failures);
            if (failures.count > before && ++failed >= enough) break;
        }
        if (failures.run == 0) throw new IllegalStateException("no test ran of " + chosen);
        end(failed == 0 ? 0 : 1);
    }

    /** A fault may keep threads alive. */
    private static void end(int status) {
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    private static void run(String name, Failures failures) {
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(name))
                .filters(TagFilter.excludeTags("deep"))
                .configurationParameter("junit.jupiter.execution.timeout.default", LIMIT)
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .configurationParameter(LauncherConstants.CAPTURE_STDOUT_PROPERTY_NAME, "true")
                .configurationParameter(LauncherConstants.CAPTURE_STDERR_PROPERTY_NAME, "true")
                .build();
        LauncherFactory.create().execute(request, failures);
    }

    private static String named(String simple, List<String> all) {
        for (String name : all) if (name.endsWith("." + simple)) return name;
        throw new IllegalArgumentException("no test class " + simple);
    }

    private static List<String> classes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(f -> folder.relativize(f).toString())
                    .filter(f -> f.endsWith(".class") && !f.contains("$"))
                    .map(f -> f.substring(0, f.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }

    private static final class Failures implements TestExecutionListener {
        private final boolean endsAtFirst;
        int run;
        int count;

        Failures(boolean endsAtFirst) {
            this.endsAtFirst = endsAtFirst;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) run++;
            if (result.getStatus() != TestExecutionResult.Status.FAILED) return;
            count++;
            String where = test.getParentId().orElse("").replaceAll(".*\\[class:([^\\]]*)\\].*", "$1");
            String error = result.getThrowable().map(String::valueOf).orElse("");
            System.out.println("FAILED " + where + '.' + test.getDisplayName() + ": "
                    + error.lines().limit(3).reduce("", (a, b) -> a + ' ' + b));
            if (endsAtFirst) end(1);
        }
    }
}
