package org.trueasync.launcher;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@code main} of a class, found by the rules of the Java Language Specification (12.1.4): one with
 * {@code String[]} is preferred to one without; static or instance method, declared or inherited, not private.
 */
final class MainMethod {
    private final Method method;
    private final @Nullable Constructor<?> constructor;

    private MainMethod(Method method, @Nullable Constructor<?> constructor) {
        this.method = method;
        this.constructor = constructor;
    }

    /**
     * Finds the method.
     *
     * @param type the class to start
     * @throws UsageException if the class has no suitable main; the message says what is needed
     */
    static MainMethod of(Class<?> type) throws UsageException {
        Method method = find(type, String[].class)
                .or(() -> find(type))
                .orElseThrow(() -> new UsageException("class " + type.getName()
                        + " has no main; it needs void main(), void main(String[] args), or one of them static"));
        if (method.getReturnType() != void.class) {
            throw new UsageException("main of class " + type.getName() + " must return void, not "
                    + method.getReturnType().getTypeName());
        }
        method.setAccessible(true);
        return new MainMethod(method, Modifier.isStatic(method.getModifiers()) ? null : constructor(type));
    }

    /**
     * Runs the method to its end.
     *
     * @param arguments the program's arguments
     * @throws Throwable what the program throws, unwrapped; also where its main calls another by reflection, as that of
     *     an executable jar does
     */
    void run(String[] arguments) throws Throwable {
        try {
            Object instance = constructor == null ? null : constructor.newInstance();
            if (method.getParameterCount() == 0) {
                method.invoke(instance);
            } else {
                method.invoke(instance, (Object) arguments);
            }
        } catch (InvocationTargetException e) {
            throw unwrapped(e);
        }
    }

    private static Throwable unwrapped(Throwable error) {
        return error instanceof InvocationTargetException && error.getCause() != null
                ? unwrapped(error.getCause())
                : error;
    }

    private static Optional<Method> find(Class<?> type, Class<?>... parameters) {
        Stream<Class<?>> classes = Stream.iterate(type, c -> c != null, Class::getSuperclass);
        Optional<Method> declared = classes.flatMap(c -> Stream.of(c.getDeclaredMethods()))
                .filter(method -> isMain(method, parameters) && isMember(method, type))
                .findFirst();
        // a default method of an interface is inherited too, a static method is not
        return declared.or(() -> Stream.of(type.getMethods())
                .filter(method -> isMain(method, parameters) && method.isDefault())
                .findFirst());
    }

    private static boolean isMain(Method method, Class<?>... parameters) {
        return method.getName().equals("main")
                && List.of(method.getParameterTypes()).equals(List.of(parameters))
                && !method.isSynthetic()
                && !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isAbstract(method.getModifiers());
    }

    /**
     * True if the method is declared or inherited by the class: a package-private one is inherited within its package
     * only.
     */
    private static boolean isMember(Method method, Class<?> type) {
        return Modifier.isPublic(method.getModifiers())
                || Modifier.isProtected(method.getModifiers())
                || method.getDeclaringClass().getPackage() == type.getPackage();
    }

    private static Constructor<?> constructor(Class<?> type) throws UsageException {
        String needed = "main of class " + type.getName() + " is not static, so the class ";
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new UsageException(needed + "must not be abstract");
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            if (!Modifier.isPrivate(constructor.getModifiers())) {
                constructor.setAccessible(true);
                return constructor;
            }
        } catch (NoSuchMethodException none) {
            // the same error message as for a private one
        }
        throw new UsageException(needed + "needs a constructor without parameters that is not private");
    }
}
