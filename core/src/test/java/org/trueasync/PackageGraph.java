package org.trueasync;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Which part of a program names which, and who of them form circles. */
final class PackageGraph {
    private final Map<String, Set<String>> targets;

    PackageGraph(Map<String, Set<String>> targets) {
        this.targets = targets;
    }

    /**
     * Of these classes alone: what they use of others leads to no circle.
     *
     * @param part which part of the program a class belongs to: its package, or what has to be told apart in it
     */
    static PackageGraph of(JavaClasses classes, Function<JavaClass, String> part) {
        Map<String, Set<String>> targets = new TreeMap<>();
        for (JavaClass type : classes) {
            Set<String> named = targets.computeIfAbsent(part.apply(type), absent -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (classes.contain(target.getName())) named.add(part.apply(target));
            }
        }
        return new PackageGraph(targets);
    }

    /** The sets of two or more parts each of which reaches all others of its set. The largest comes first. */
    List<Set<String>> circles() {
        Map<String, Set<String>> reached = new HashMap<>();
        targets.keySet().forEach(start -> reached.put(start, reachedFrom(start)));
        Set<Set<String>> circles = new LinkedHashSet<>();
        for (String one : targets.keySet()) {
            Set<String> circle = new TreeSet<>(reached.get(one));
            circle.removeIf(other -> !reached.get(other).contains(one));
            circle.add(one);
            if (circle.size() > 1) circles.add(circle);
        }
        return circles.stream()
                .sorted(Comparator.<Set<String>>comparingInt(Set::size).reversed())
                .toList();
    }

    private Set<String> reachedFrom(String start) {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(Set.of(start));
        while (!open.isEmpty()) {
            for (String next : targets.getOrDefault(open.pop(), Set.of())) {
                if (reached.add(next)) open.push(next);
            }
        }
        return reached;
    }
}
