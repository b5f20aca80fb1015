package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.CoroutineImpl;

/** The packages of core are layers: none reaches itself through others. */
class PackageCirclesTest {
    /** The bound only falls: whoever gets below it writes the new figure here. */
    private static final int CLASSES_THAT_NAME_COROUTINE = 37;

    /** Outside of the kernel; no other package may begin to. */
    private static final Set<String> PACKAGES_THAT_NAME_COROUTINE = Set.of(
            "org.trueasync",
            "org.trueasync.internal.await",
            "org.trueasync.internal.channel",
            "org.trueasync.internal.future",
            "org.trueasync.internal.group",
            "org.trueasync.internal.pool",
            "org.trueasync.internal.scope",
            "org.trueasync.internal.threads",
            "org.trueasync.internal.work");

    private static final JavaClasses CORE = CoreClasses.ALL;

    private static final ApiLayers LAYERS = new ApiLayers(CORE, Set.copyOf(ArchitectureTest.BOTTOM));

    @Test
    void packages_formNoCircles() {
        assertThat(PackageGraph.of(CORE, LAYERS::part).circles()).isEmpty();
    }

    @Test
    void whatEverythingStandsOn_isNoFacade() {
        assertThat(LAYERS.facadeOf("org.trueasync"))
                .contains("Async", "AsyncRuntime", "Scope", "Channel", "Future", "Pool", "TaskGroup", "ThreadPool")
                .doesNotContain("Coroutine", "Completable", "Awaitable", "Body", "Task", "Context", "AsyncException");
        assertThat(LAYERS.facadeOf("org.trueasync.spi")).containsExactlyInAnyOrder("Events", "RuntimeMonitor");
    }

    @Test
    void classesThatNameTheCoroutinesImplementation_becomeNoMore() {
        checkUsers(CoroutineImpl.class, CLASSES_THAT_NAME_COROUTINE, PACKAGES_THAT_NAME_COROUTINE);
    }

    private static void checkUsers(Class<?> used, int bound, Set<String> packages) {
        Map<String, Set<String>> users = usersOutsideItsPackage(CORE.get(used));
        assertThat(users.values().stream().mapToInt(Set::size).sum())
                .as("classes outside of %s that name %s: %s", used.getPackageName(), used.getSimpleName(), users)
                .isLessThanOrEqualTo(bound);
        users.keySet().removeAll(packages);
        assertThat(users)
                .as("packages that did not name %s before", used.getSimpleName())
                .isEmpty();
    }

    /** Top-level classes by package; a nested class counts as the one that it stands in. */
    private static Map<String, Set<String>> usersOutsideItsPackage(JavaClass used) {
        return used.getDirectDependenciesToSelf().stream()
                .map(Dependency::getOriginClass)
                .filter(user -> !user.getPackageName().equals(used.getPackageName()))
                .collect(Collectors.groupingBy(
                        JavaClass::getPackageName,
                        TreeMap::new,
                        Collectors.mapping(
                                user -> user.getName()
                                        .substring(user.getPackageName().length() + 1)
                                        .replaceAll("\\$.*", ""),
                                Collectors.toCollection(TreeSet::new))));
    }
}
