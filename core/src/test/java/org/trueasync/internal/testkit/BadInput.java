package org.trueasync.internal.testkit;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.OperationCanceledException;
import org.trueasync.testkit.VirtualTime;

/**
 * Calls every public constructor and method with arguments that are no good, one at a time, each in a run of its own in
 * virtual time, and lists what does not follow the rule:
 *
 * <ul>
 *   <li>null where it is not allowed is a {@link NullPointerException} that says what was null;
 *   <li>a number or a text is taken, or is an {@link IllegalArgumentException} that names the value.
 * </ul>
 */
public final class BadInput {
    private static final List<Object> NUMBERS = List.of(Integer.MIN_VALUE, -250, 0, Integer.MAX_VALUE);
    private static final List<Object> LONGS = List.of(Long.MIN_VALUE, -250L, 0L, Long.MAX_VALUE);
    private static final List<Object> TIMES =
            List.of(Duration.ofSeconds(Long.MIN_VALUE), Duration.ofMillis(-250), Duration.ofSeconds(Long.MAX_VALUE));

    private static final String CONTROLS = "\0\n";

    private final Map<Class<?>, Callable<?>> samples = new HashMap<>();
    private final Set<Class<?>> outside = new LinkedHashSet<>();
    private final Set<String> exempt = new LinkedHashSet<>();
    private final List<String> complaints = new ArrayList<>();
    private int calls;

    /** Has a type made like this, as an argument and to call its methods. In a coroutine. */
    public <T> BadInput sample(Class<T> type, Callable<? extends T> sample) {
        samples.put(type, sample);
        return this;
    }

    /** Has calls end with an error of what is outside, as no check of arguments can foresee it. */
    public BadInput outside(Class<?>... errors) {
        outside.addAll(List.of(errors));
        return this;
    }

    /** Leaves methods out, by type and name; each must be there. */
    public BadInput exempt(String... methods) {
        exempt.addAll(List.of(methods));
        return this;
    }

    /** How many calls were made. */
    public int calls() {
        return calls;
    }

    /** Calls all, and returns what does not follow the rule, a line for each call. */
    public List<String> check(List<Class<?>> types) {
        var unused = new LinkedHashSet<>(exempt);
        for (Class<?> type : types) {
            for (Executable member : members(type)) {
                String name = name(member);
                if (unused.remove(name) || exempt.contains(name)) continue;
                for (int i = 0; i < member.getParameterCount(); i++) check(member, i);
            }
        }
        unused.forEach(name -> complaints.add(name + ": there is no such method"));
        return complaints;
    }

    private static String name(Executable member) {
        String type = member.getDeclaringClass().getName();
        type = type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
        return member instanceof Constructor ? "new " + type : type + '.' + member.getName();
    }

    private List<Executable> members(Class<?> type) {
        // an error that its own constructor refuses would hide what it was about, and records are made by us
        if (Throwable.class.isAssignableFrom(type)) return List.of();
        return Stream.<Executable>concat(
                        Modifier.isAbstract(type.getModifiers()) || type.isRecord()
                                ? Stream.of()
                                : Arrays.stream(type.getConstructors()),
                        Arrays.stream(type.getDeclaredMethods()))
                .filter(member -> Modifier.isPublic(member.getModifiers())
                        && !Modifier.isAbstract(member.getModifiers())
                        && !(member instanceof Method method && method.isDefault() && !samples.containsKey(type))
                        && !member.isSynthetic()
                        && !(type.isEnum() && member.getName().equals("valueOf"))
                        && !member.getName().equals("equals"))
                .sorted(Comparator.comparing(Executable::toGenericString))
                .toList();
    }

    private void check(Executable member, int parameter) {
        member.setAccessible(true); // the part that public types have in common need not be public
        Class<?> type = member.getParameterTypes()[parameter];
        if (!type.isPrimitive() && !mayBeNull(member, parameter)) {
            Throwable thrown = call(member, parameter, null);
            boolean clear = thrown instanceof NullPointerException
                    && thrown.getMessage() != null
                    && !thrown.getMessage().startsWith("Cannot invoke");
            if (!clear) complain(member, parameter, null, thrown);
        }
        for (Object bad : values(type)) {
            Throwable thrown = call(member, parameter, bad);
            if (thrown == null || thrown instanceof OperationCanceledException) continue;
            String message = String.valueOf(thrown.getMessage());
            boolean clear = outside.contains(thrown.getClass())
                    || (thrown instanceof IllegalArgumentException
                            && texts(bad).stream().anyMatch(message::contains));
            if (message.chars().anyMatch(c -> c < ' ')) clear = false;
            if (!clear) complain(member, parameter, bad, thrown);
        }
    }

    /** As messages may have it. */
    private static List<String> texts(Object value) {
        if (value.equals(CONTROLS)) return List.of("\\0\\n", "??");
        if (!(value instanceof Duration time)) return List.of(value.toString());
        return time.equals(Duration.ofMillis(-250)) ? List.of("-250", "PT-0.25S") : List.of("");
    }

    private static List<Object> values(Class<?> type) {
        if (type == int.class) return NUMBERS;
        if (type == long.class) return LONGS;
        if (type == Duration.class) return TIMES;
        if (type == double.class) return List.of(Double.NaN, -250.0, Double.POSITIVE_INFINITY);
        return type == String.class ? List.of("", " ", CONTROLS) : List.of();
    }

    private void complain(Executable member, int parameter, @Nullable Object bad, @Nullable Throwable thrown) {
        String types = String.join(
                ", ",
                Arrays.stream(member.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList());
        complaints.add(name(member) + "(" + types + "), argument " + (parameter + 1) + ", "
                + (CONTROLS.equals(bad) ? "control characters" : bad) + ": " + (thrown == null ? "taken" : thrown));
    }

    private static boolean mayBeNull(Executable member, int parameter) {
        AnnotatedType type = member.getAnnotatedParameterTypes()[parameter];
        return type.isAnnotationPresent(Nullable.class) || type.getType() instanceof TypeVariable;
    }

    /** Returns what the call throws, or null. */
    private @Nullable Throwable call(Executable member, int parameter, @Nullable Object bad) {
        calls++;
        var thrown = new Throwable[1];
        try {
            VirtualTime.run(() -> {
                var arguments = new Object[member.getParameterCount()];
                for (int i = 0; i < arguments.length; i++)
                    arguments[i] = i == parameter ? bad : sample(member.getParameterTypes()[i]);
                Object target = Modifier.isStatic(member.getModifiers()) || member instanceof Constructor
                        ? null
                        : sample(member.getDeclaringClass());
                thrown[0] = Async.await(Async.spawn(() -> thrownBy(member, target, arguments)), Async.timeout(1_000));
                if (target instanceof AutoCloseable open) open.close();
            });
        } catch (Throwable e) {
            return thrown[0] == null ? e : thrown[0];
        }
        return thrown[0];
    }

    private static @Nullable Throwable thrownBy(Executable member, @Nullable Object target, Object[] arguments)
            throws Exception {
        try {
            if (member instanceof Constructor<?> made) made.newInstance(arguments);
            else ((Method) member).invoke(target, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    private Object sample(Class<?> type) throws Exception {
        Callable<?> known = samples.get(type);
        if (known != null) return known.call();
        if (type == boolean.class) return true;
        if (type == int.class) return 1;
        if (type == long.class) return 1L;
        if (type == double.class) return 1.0;
        if (type == String.class) return "text";
        if (type == Object.class) return new Object();
        if (type == Duration.class) return Duration.ofMillis(1);
        if (type == Class.class) return String.class;
        if (type.isEnum()) return type.getEnumConstants()[0];
        if (type.isArray()) return java.lang.reflect.Array.newInstance(type.getComponentType(), 0);
        if (type.isInterface() && !type.isSealed()) return proxy(type);
        for (Constructor<?> made : type.getConstructors()) if (made.getParameterCount() == 0) return made.newInstance();
        throw new IllegalStateException("a sample is needed of " + type.getName());
    }

    /** Does nothing, and returns null or what a number begins with. */
    private static Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    default -> "a " + type.getSimpleName();
                };
            }
            Class<?> result = method.getReturnType();
            if (result == boolean.class) return true;
            return result == int.class ? (Object) 0 : result == long.class ? (Object) 0L : null;
        });
    }
}
