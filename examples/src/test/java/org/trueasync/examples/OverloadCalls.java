package org.trueasync.examples;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Calls that two overloads may both take: {@code null}, a lambda or a method reference where their parameters differ,
 * and a value of the common type where they don't. Whether one of all overloads is the best is for the compiler to say.
 */
final class OverloadCalls {
    /** What stands where the parameters differ, and its text; N is the number of the lambda's parameters. */
    private static final Map<String, String> SHAPES = new LinkedHashMap<>();

    static {
        SHAPES.put("x -> value()", "(PARAMETERS) -> value()");
        SHAPES.put("x -> nothing()", "(PARAMETERS) -> nothing()");
        SHAPES.put("x -> { return ... }", "(PARAMETERS) -> { return value(); }");
        SHAPES.put("x -> { ... }", "(PARAMETERS) -> { nothing(); }");
        SHAPES.put("x -> { throw ... }", "(PARAMETERS) -> { throw new IllegalStateException(); }");
        SHAPES.put("::value", "Calls::valueN");
        SHAPES.put("::nothing", "Calls::nothingN");
        SHAPES.put("::overloaded", "Calls::overloaded");
    }

    /** The methods that the calls refer to: {@code overloaded} is one that a reference leaves open. */
    private static final String PREAMBLE = """
            package org.trueasync.examples;
            @SuppressWarnings({"unchecked", "rawtypes"})
            class Calls {
                static <R> R value() { return null; }
                static void nothing() {}
                static Object value0() { return null; }
                static Object value1(Object a) { return null; }
                static Object value2(Object a, Object b) { return null; }
                static Object value3(Object a, Object b, Object c) { return null; }
                static void nothing0() {}
                static void nothing1(Object a) {}
                static void nothing2(Object a, Object b) {}
                static void nothing3(Object a, Object b, Object c) {}
                static <R> R overloaded() { return null; }
                static <R> R overloaded(Object a) { return null; }
                static <R> R overloaded(Object a, Object b) { return null; }
                static <R> R overloaded(Object a, Object b, Object c) { return null; }
                void calls() throws Throwable {
            """;

    /** The texts of the calls, by what they are called in this test. */
    private final Map<String, String> calls = new LinkedHashMap<>();

    /** Adds the calls of a class, and of the classes in it. */
    void add(Class<?> type) {
        if (!Modifier.isPublic(type.getModifiers())) return;
        // the parts of Async are called as Async's
        if (!(type.isSealed() && Modifier.isAbstract(type.getModifiers()) && !type.isInterface())) {
            if (!Modifier.isAbstract(type.getModifiers())) addPairs(type, List.of(type.getConstructors()));
            Stream.of(type.getMethods())
                    .filter(method -> !method.isBridge()
                            && !method.getDeclaringClass().getName().startsWith("java."))
                    .collect(Collectors.groupingBy(Method::getName))
                    .values()
                    .forEach(overloads -> addPairs(type, overloads));
        }
        for (Class<?> nested : type.getDeclaredClasses()) add(nested);
    }

    private void addPairs(Class<?> type, List<? extends Executable> overloads) {
        for (int i = 0; i < overloads.size(); i++) {
            for (int j = i + 1; j < overloads.size(); j++) {
                for (List<Class<?>> one : forms(overloads.get(i))) {
                    for (List<Class<?>> other : forms(overloads.get(j)))
                        if (one.size() == other.size()) addCalls(type, overloads.get(i), one, other);
                }
            }
        }
    }

    /** The parameters, also as those of a call with none, or one, of the values of a {@code T...}. */
    private static List<List<Class<?>>> forms(Executable overload) {
        List<Class<?>> parameters = List.of(overload.getParameterTypes());
        if (!overload.isVarArgs()) return List.of(parameters);
        List<Class<?>> first = parameters.subList(0, parameters.size() - 1);
        List<Class<?>> withOne = new ArrayList<>(first);
        withOne.add(parameters.getLast().componentType());
        return List.of(parameters, first, withOne);
    }

    private void addCalls(Class<?> type, Executable called, List<Class<?>> one, List<Class<?>> other) {
        int[] differing = IntStream.range(0, one.size())
                .filter(i -> one.get(i) != other.get(i))
                .toArray();
        if (Arrays.stream(differing)
                .anyMatch(i -> one.get(i).isPrimitive() || other.get(i).isPrimitive())) return;
        add(type, called, one, differing, "null", "null");
        if (differing.length == 0) return;
        int parameters = parametersOfLambda(one.get(differing[0]));
        for (int i : differing) {
            if (parametersOfLambda(one.get(i)) != parameters || parametersOfLambda(other.get(i)) != parameters) return;
        }
        if (parameters < 0) return;
        String names = IntStream.range(0, parameters).mapToObj(i -> "p" + i).collect(Collectors.joining(", "));
        SHAPES.forEach((shape, pattern) -> {
            String argument = pattern.replace("PARAMETERS", names).replace("N", "" + parameters);
            add(type, called, one, differing, shape, argument);
        });
    }

    private void add(
            Class<?> type, Executable called, List<Class<?>> types, int[] differing, String shape, String argument) {
        String method = called instanceof Method ? "." + called.getName() : "";
        String receiver = called instanceof Constructor<?>
                ? "new " + type.getCanonicalName()
                : Modifier.isStatic(called.getModifiers())
                        ? type.getCanonicalName()
                        : "((" + type.getCanonicalName() + ") null)";
        String call = type.getCanonicalName().substring(type.getPackageName().length() + 1)
                + method
                + arguments(types, differing, shape, Class::getSimpleName);
        calls.put(call, receiver + method + arguments(types, differing, argument, OverloadCalls::value) + ";");
    }

    private static String arguments(
            List<Class<?>> types, int[] differing, String argument, Function<Class<?>, String> value) {
        return IntStream.range(0, types.size())
                .mapToObj(i -> Arrays.stream(differing).anyMatch(d -> d == i) ? argument : value.apply(types.get(i)))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /** How many parameters a lambda of this type has; -1 if it is no functional interface. */
    private static int parametersOfLambda(Class<?> type) {
        List<Method> open = Stream.of(type.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .filter(method -> Stream.of(Object.class.getMethods())
                        .noneMatch(known -> known.getName().equals(method.getName())
                                && Arrays.equals(known.getParameterTypes(), method.getParameterTypes())))
                .toList();
        return type.isInterface() && open.size() == 1 ? open.getFirst().getParameterCount() : -1;
    }

    private static String value(Class<?> type) {
        if (type == boolean.class) return "false";
        return "(" + type.getCanonicalName() + ") " + (type.isPrimitive() ? "0" : "null");
    }

    /** What the calls are called here. */
    List<String> names() {
        return List.copyOf(calls.keySet());
    }

    /** A class with all calls; call i is in line {@code firstLine() + i}. */
    String source() {
        return calls.values().stream().collect(Collectors.joining("\n", PREAMBLE, "\n}\n}\n"));
    }

    static int firstLine() {
        return (int) PREAMBLE.lines().count() + 1;
    }
}
