package org.trueasync.internal.testkit;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.trueasync.Async;

/**
 * The public methods from whose code one can get to the place where a coroutine is suspended, read from the class
 * files. Calls of our own types lead to every class that overrides the method. So do those of the JDK's streams,
 * readers and channels, and if nobody overrides the method, to whatever is overridden of that type, since the JDK's
 * own code calls it. Calls of other types of the JDK lead nowhere, so what waits in a section that the caller gives is
 * not found. A lambda counts as called where it is made.
 */
public final class WaitingMethods {
    private static final String SUSPENDS = "org/trueasync/internal/kernel/Suspension.of";
    /** Lambdas that other coroutines run, and what rests a little when it floods another loop. */
    private static final List<String> ELSEWHERE = List.of(
            "org/trueasync/internal/channel/ChannelPublisher.lambda$subscribe",
            "org/trueasync/internal/future/FutureCore.lambda$checkForWaiters",
            "org/trueasync/internal/threads/PoolWorker.run()",
            "org/trueasync/internal/kernel/RemoteQueue.lambda$slowDown");

    private static final List<String> STREAMS = List.of("java/io/", "java/nio/channels/");
    /** What everything is, and what prints for people. */
    private static final Set<String> NO_STREAMS =
            Set.of("java/io/Closeable", "java/io/Flushable", "java/io/PrintStream", "java/nio/channels/Channel");

    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<String, Path> places = new HashMap<>();
    private final Map<String, Set<String>> declared = new HashMap<>();
    private final Map<String, Set<String>> subtypes = new HashMap<>();
    private final Map<String, Set<String>> callers = new HashMap<>();
    private final Set<String> waiting = new LinkedHashSet<>();

    /** @param inModules a type of each module whose code is read; core is among them */
    public WaitingMethods(Class<?>... inModules) throws IOException, URISyntaxException {
        Set<Class<?>> modules = new LinkedHashSet<>(Arrays.asList(inModules));
        modules.add(Async.class);
        for (Class<?> type : modules) read(type);
        for (ClassModel model : classes.values()) addTo(model);
        for (ClassModel model : classes.values())
            for (MethodModel method : model.methods())
                method.code().ifPresent(code -> code.forEach(element -> addCalls(key(model, method), element)));
        follow();
    }

    private void read(Class<?> type) throws IOException, URISyntaxException {
        Path place = place(type);
        if (Files.isDirectory(place)) {
            read(place, place);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            read(place, jar.getPath("/"));
        }
    }

    private static Path place(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private void read(Path place, Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.toString().contains("-info"))
                    .toList()) {
                ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
                String name = model.thisClass().asInternalName();
                classes.put(name, model);
                places.put(name, place);
                declared.put(
                        name,
                        model.methods().stream().map(WaitingMethods::signature).collect(Collectors.toSet()));
            }
        }
    }

    private void addTo(ClassModel model) {
        String name = model.thisClass().asInternalName();
        for (String above : supertypes(model)) {
            addTo(above, name);
            if (!classes.containsKey(above)) jdkTypesAbove(above, type -> addTo(type, name));
        }
    }

    private void addTo(String above, String below) {
        subtypes.computeIfAbsent(above, name -> new TreeSet<>()).add(below);
    }

    private static void jdkTypesAbove(String type, Consumer<String> each) {
        try {
            Class<?> known = Class.forName(type.replace('/', '.'), false, WaitingMethods.class.getClassLoader());
            var above = new ArrayList<Class<?>>(Arrays.asList(known.getInterfaces()));
            if (known.getSuperclass() != null) above.add(known.getSuperclass());
            for (Class<?> one : above) {
                String name = one.getName().replace('.', '/');
                each.accept(name);
                jdkTypesAbove(name, each);
            }
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            // of a library that is not there
        }
    }

    private static List<String> supertypes(ClassModel model) {
        var all = new ArrayList<String>();
        model.superclass().ifPresent(type -> all.add(type.asInternalName()));
        model.interfaces().forEach(type -> all.add(type.asInternalName()));
        return all;
    }

    private static String key(ClassModel model, MethodModel method) {
        return model.thisClass().asInternalName() + '.' + signature(method);
    }

    private static String signature(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    // ---- who calls whom

    private void addCalls(String caller, CodeElement element) {
        if (element instanceof InvokeInstruction call) {
            boolean isExact =
                    switch (call.opcode()) {
                        case INVOKEVIRTUAL, INVOKEINTERFACE -> false;
                        default -> true;
                    };
            addCall(
                    caller,
                    call.owner().asInternalName(),
                    call.name().stringValue() + call.type().stringValue(),
                    isExact);
        } else if (element instanceof InvokeDynamicInstruction made) {
            for (ConstantDesc argument : made.bootstrapArgs())
                if (argument instanceof DirectMethodHandleDesc target)
                    addCall(
                            caller,
                            internalName(target.owner()),
                            target.methodName() + target.lookupDescriptor(),
                            false);
        }
    }

    private static String internalName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.substring(1, descriptor.length() - 1);
    }

    private void addCall(String caller, String type, String signature, boolean isExact) {
        if (!classes.containsKey(type)) {
            if (STREAMS.stream().anyMatch(type::startsWith) && !NO_STREAMS.contains(type))
                addCallOfStream(caller, type, signature);
            return;
        }
        Set<String> declaring = new TreeSet<>();
        declaredAbove(type, signature, declaring);
        if (!isExact) declaredBelow(type, signature, declaring, new LinkedHashSet<>());
        for (String at : declaring) addCaller(at + '.' + signature, caller);
    }

    private void addCallOfStream(String caller, String type, String signature) {
        Set<String> declaring = new TreeSet<>();
        declaredBelow(type, signature, declaring, new LinkedHashSet<>());
        for (String at : declaring) addCaller(at + '.' + signature, caller);
        if (!declaring.isEmpty() || signature.startsWith("<")) return;
        Set<String> below = new LinkedHashSet<>();
        allBelow(type, below);
        for (String at : below)
            for (String declares : declared.getOrDefault(at, Set.of()))
                if (declaresInJdk(type, declares.substring(0, declares.indexOf('('))))
                    addCaller(at + '.' + declares, caller);
    }

    private void allBelow(String type, Set<String> found) {
        for (String below : subtypes.getOrDefault(type, Set.of())) if (found.add(below)) allBelow(below, found);
    }

    private void addCaller(String called, String caller) {
        callers.computeIfAbsent(called, name -> new TreeSet<>()).add(caller);
    }

    private boolean declares(String type, String signature) {
        return declared.getOrDefault(type, Set.of()).contains(signature);
    }

    private void declaredAbove(String type, String signature, Set<String> found) {
        ClassModel model = classes.get(type);
        if (model == null) return;
        if (declares(type, signature)) found.add(type);
        else supertypes(model).forEach(above -> declaredAbove(above, signature, found));
    }

    private void declaredBelow(String type, String signature, Set<String> found, Set<String> seen) {
        if (!seen.add(type)) return;
        if (declares(type, signature)) found.add(type);
        subtypes.getOrDefault(type, Set.of()).forEach(below -> declaredBelow(below, signature, found, seen));
    }

    private void follow() {
        var queue = new ArrayDeque<String>();
        callers.keySet().stream()
                .filter(name -> name.startsWith(SUSPENDS + '('))
                .forEach(queue::add);
        if (queue.isEmpty()) throw new AssertionError("nobody calls " + SUSPENDS);
        while (!queue.isEmpty()) {
            for (String caller : callers.getOrDefault(queue.remove(), Set.of()))
                if (ELSEWHERE.stream().noneMatch(caller::startsWith) && waiting.add(caller)) queue.add(caller);
        }
    }

    // ---- what is found

    /** The methods of these types that may suspend, as {@code Type.method(Parameter, ...)}, without those inherited. */
    public Set<String> among(Collection<Class<?>> types) {
        var found = new TreeSet<String>();
        for (Class<?> type : types)
            for (Method method : type.getMethods())
                if (!isFromAbove(type, method, types) && waits(method)) found.add(name(type, method));
        return found;
    }

    private static boolean isFromAbove(Class<?> type, Method method, Collection<Class<?>> types) {
        return method.getDeclaringClass() != type && types.contains(method.getDeclaringClass());
    }

    private boolean waits(Method method) {
        String type = method.getDeclaringClass().getName().replace('.', '/');
        String signature = method.getName()
                + java.lang.invoke.MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                        .toMethodDescriptorString();
        Set<String> declaring = new TreeSet<>(Set.of(type));
        if (!Modifier.isStatic(method.getModifiers())) declaredBelow(type, signature, declaring, new LinkedHashSet<>());
        return declaring.stream().anyMatch(at -> waiting.contains(at + '.' + signature));
    }

    /** As this class calls a method. */
    public static String name(Class<?> type, Method method) {
        String owner = type.getName();
        owner = owner.substring(owner.lastIndexOf('.') + 1).replace('$', '.');
        return owner
                + '.'
                + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /**
     * The methods of the JDK's interfaces that our classes behind them let wait, as {@code Class.method}.
     *
     * @param ofModule a type of the module whose classes are meant
     */
    public Set<String> behindTheJdksTypes(Class<?> ofModule) throws URISyntaxException {
        Path place = place(ofModule);
        var found = new TreeSet<String>();
        for (String name : waiting) {
            String type = name.substring(0, name.lastIndexOf('.', name.indexOf('(')));
            if (!place.equals(places.get(type))) continue;
            String signature = name.substring(type.length() + 1);
            if (signature.startsWith("<") || signature.startsWith("lambda$")) continue;
            String method = signature.substring(0, signature.indexOf('('));
            if (ofTheJdk(type, new LinkedHashSet<>()).stream().anyMatch(above -> declaresInJdk(above, method)))
                found.add(type.substring(type.lastIndexOf('/') + 1).replace('$', '.') + '.' + method);
        }
        return found;
    }

    private Set<String> ofTheJdk(String type, Set<String> found) {
        ClassModel model = classes.get(type);
        if (model == null) found.add(type);
        else supertypes(model).forEach(above -> ofTheJdk(above, found));
        return found;
    }

    private static boolean declaresInJdk(String type, String method) {
        if (type.equals("java/lang/Object")) return false;
        try {
            return Arrays.stream(
                            Class.forName(type.replace('/', '.'), false, null).getMethods())
                    .anyMatch(declared -> declared.getName().equals(method));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
