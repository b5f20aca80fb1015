package org.trueasync.examples;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The public and protected signatures of a class, one a line, in an order that does not depend on the source's. */
final class Signatures {
    private static final int SHOWN = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.STATIC;
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    private Signatures() {}

    /** The class's own lines, then those of its nested classes; members are indented. */
    static List<String> of(Class<?> type) {
        if (!isVisible(type.getModifiers())) return List.of();
        List<String> lines = new ArrayList<>(List.of(header(type)));
        members(type).forEach(member -> lines.add("    " + member));
        Stream.of(type.getDeclaredClasses())
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(nested -> lines.addAll(of(nested)));
        return lines;
    }

    private static boolean isVisible(int modifiers) {
        return (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    private static String header(Class<?> type) {
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        int shown = type.isInterface() || type.isEnum() ? SHOWN & ~Modifier.ABSTRACT : SHOWN | Modifier.FINAL;
        var line = new StringBuilder(modifiers(type.getModifiers() & shown & ~(type.isRecord() ? Modifier.FINAL : 0)));
        if (type.isSealed()) line.append("sealed ");
        line.append(kind).append(' ').append(type.getName()).append(variables(type.getTypeParameters()));
        if (type.isRecord()) {
            line.append(Stream.of(type.getRecordComponents())
                    .map(component -> text(component.getAnnotatedType()) + " " + component.getName())
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        Class<?> heir = type;
        while (hiddenParent(heir) != null) heir = heir.getSuperclass();
        if (!type.isInterface() && heir.getSuperclass() != Object.class && !type.isEnum() && !type.isRecord())
            line.append(" extends ").append(text(heir.getAnnotatedSuperclass()));
        append(line, type.isInterface() ? " extends " : " implements ", type.getAnnotatedInterfaces());
        if (type.isSealed()) {
            String permitted = Stream.of(type.getPermittedSubclasses())
                    .map(Class::getName)
                    .filter(name -> !name.contains(".internal."))
                    .sorted()
                    .collect(Collectors.joining(", "));
            if (!permitted.isEmpty()) line.append(" permits ").append(permitted);
        }
        return line.toString();
    }

    private static Collection<String> members(Class<?> type) {
        Set<String> lines = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            if (isPartOfIt(field, type)) lines.add(field(field));
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isPartOfIt(constructor, type)) lines.add(executable(constructor, "new"));
        }
        for (Class<?> holder = type; holder != null; holder = hiddenParent(holder)) {
            for (Method method : holder.getDeclaredMethods()) {
                if (!isPartOfIt(method, type) || OF_EVERY_OBJECT.contains(method.getName())) continue;
                lines.add(executable(method, text(method.getAnnotatedReturnType()) + " " + method.getName()));
            }
        }
        return lines;
    }

    /** Whose members users see in its subclass alone. */
    private static Class<?> hiddenParent(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return parent == null || isVisible(parent.getModifiers()) ? null : parent;
    }

    private static boolean isPartOfIt(Member member, Class<?> type) {
        int modifiers = member.getModifiers();
        if (member.isSynthetic() || !isVisible(modifiers)) return false;
        return Modifier.isPublic(modifiers) || !Modifier.isFinal(type.getModifiers());
    }

    private static String field(Field field) {
        String line = modifiers(field.getModifiers() & (SHOWN | Modifier.FINAL)) + text(field.getAnnotatedType()) + " "
                + field.getName();
        boolean constant = Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
        if (!constant || !(field.getType().isPrimitive() || field.getType() == String.class)) return line;
        try {
            // compilers copy it into the classes of users
            field.setAccessible(true);
            return line + " = " + field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static String executable(Executable executable, String named) {
        int finality = executable instanceof Method
                        && !Modifier.isFinal(executable.getDeclaringClass().getModifiers())
                ? Modifier.FINAL
                : 0;
        var line = new StringBuilder(modifiers(executable.getModifiers() & (SHOWN | finality)));
        if (executable instanceof Method method && method.isDefault()) line.append("default ");
        String variables = variables(executable.getTypeParameters());
        line.append(variables).append(variables.isEmpty() ? "" : " ").append(named);
        String parameters = Stream.of(executable.getAnnotatedParameterTypes())
                .map(Signatures::text)
                .collect(Collectors.joining(", "));
        if (executable.isVarArgs()) parameters = parameters.replaceFirst("\\[]$", "...");
        line.append('(').append(parameters).append(')');
        append(line, " throws ", executable.getAnnotatedExceptionTypes());
        return line.toString();
    }

    private static String modifiers(int modifiers) {
        return modifiers == 0 ? "" : Modifier.toString(modifiers) + " ";
    }

    private static String variables(TypeVariable<?>[] variables) {
        if (variables.length == 0) return "";
        return Stream.of(variables).map(Signatures::variable).collect(Collectors.joining(", ", "<", ">"));
    }

    private static String variable(TypeVariable<?> variable) {
        String bounds = Arrays.stream(variable.getAnnotatedBounds())
                .map(Signatures::text)
                .filter(bound -> !bound.equals("Object"))
                .collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? variable.getName() : variable.getName() + " extends " + bounds;
    }

    private static void append(StringBuilder line, String word, AnnotatedType[] types) {
        if (types.length == 0) return;
        line.append(Stream.of(types).map(Signatures::text).collect(Collectors.joining(", ", word, "")));
    }

    /** As in a source, with nullness; only {@code java.lang} goes without its name. */
    private static String text(AnnotatedType type) {
        return type.toString()
                .replaceAll("((?:\\w+\\.)*)@org\\.jspecify\\.annotations\\.(\\w+)\\(\\) ?", "@$2 $1")
                .replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
    }
}
