package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The compiler can choose between any two overloads, also for {@code null}, a lambda and a method reference. */
class OverloadsTest {
    /** Calls that it can't choose for, as expressions, with the reason why they stay. */
    private static final Map<String, String> ACCEPTED = Map.ofEntries(
            Map.entry("Async\\.await\\((null, null|null, Completable|null)\\)", "there is nothing to await"),
            Map.entry("Async\\.await(All|Any|First)\\w*\\((int, )?null.*\\)", "there is nothing to await"),
            Map.entry("ThreadPool\\.map\\(null, Function\\)", "there is nothing to map"),
            Map.entry("(Coroutine|TaskHandle)\\.await\\(null\\)", "neither a limit nor a token: await() has none"),
            Map.entry("(Cluster)?Channel\\.receive\\(null\\)", "neither a limit nor a token: receive() has none"),
            Map.entry("Pool\\.acquire\\(null\\)", "neither a limit nor a token: acquire() has none"),
            Map.entry("Scope\\.awaitCompletion\\(null\\)", "neither a limit nor a token: awaitCompletion() has none"),
            Map.entry("Scope\\.inherit\\(null\\)", "neither a name nor a parent: inherit() needs none"),
            Map.entry("AsyncRuntime\\.Builder\\.reactor\\(null\\)", "the default needs no call"),
            Map.entry("(AsyncFile|ByteStream)\\.write\\(null(, Completable)?\\)", "there is nothing to write"),
            Map.entry("(Stream|Tcp|Terminal)Handle\\.tryWrite\\(null\\)", "there is nothing to write"),
            Map.entry("Exec\\.(input|of)\\(null\\)", "no input needs no call, no command runs nothing"),
            Map.entry("IoEvents\\.process\\(null\\)", "there is no process to wait for"),
            Map.entry("Exchange\\.(respond|write)\\(null\\)", "no body needs respond(status)"),
            Map.entry("HttpClient\\.(get|request)\\((String, )?null\\)", "a call needs an address"),
            Map.entry("HttpRequest\\.body\\(null(, long)?\\)", "no body needs no call"),
            Map.entry("HttpServer\\.Builder\\.tls\\(null\\)", "no TLS needs no call"),
            Map.entry("Listener\\.tls\\(null\\)", "no TLS needs no call"),
            Map.entry("WebSocket\\.send\\(null\\)", "there is nothing to send"),
            Map.entry("ClusterConfig\\.Builder\\.allow\\((null)?\\)", "allowing nothing needs no call"));

    @Test
    void overloads_canBeChosen() throws Exception {
        var calls = new OverloadCalls();
        for (PublishedModule module : PublishedModule.all().toList())
            module.exportedClasses().forEach(calls::add);
        List<String> ambiguous = ambiguous(calls);
        assertThat(ambiguous)
                .as("calls that don't compile; change an overload, or accept them here with the reason")
                .allMatch(call -> ACCEPTED.keySet().stream().anyMatch(call::matches));
        assertThat(ACCEPTED.keySet()).as("accepted for nothing").allMatch(accepted -> ambiguous.stream()
                .anyMatch(call -> call.matches(accepted)));
        assertThat(calls.names()).contains("Coroutine.cancel(null)", "Async.spawn(::overloaded)");
    }

    /** No argument of this class fits anywhere. */
    private static final String WRONG = "class Wrong {}\n";

    @Test
    void wrongCalls_getTheCompilersOwnMessage() throws Exception {
        var source = new StringBuilder(WRONG).append("class Calls {\n");
        int calls = 0;
        for (PublishedModule module : PublishedModule.all().toList()) {
            if (!List.of("core", "io", "http", "jdbc").contains(module.toString())) continue;
            for (Class<?> type : module.exportedClasses())
                for (String call : wrongCalls(type))
                    source.append(
                            "void c%d(%s it, Wrong w) { %s; }%n".formatted(calls++, type.getCanonicalName(), call));
        }
        assertThat(calls).isGreaterThan(500);
        // no collector: it makes the messages later, and a message that can't be made is the fault that is sought
        var said = new StringWriter();
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-Xmaxerrs", "10000"));
        options.addAll(pathOfTheCommand());
        var unit = new Source(source.append('}').toString());
        ToolProvider.getSystemJavaCompiler()
                .getTask(said, null, null, options, null, List.of(unit))
                .call();
        assertThat(said.toString()).doesNotContain("exception has occurred");
        assertThat(said.toString().lines().filter(line -> line.matches(".*\\.java:\\d+: error: .*")))
                .hasSize(calls)
                .allMatch(line -> line.matches(".*(no suitable|cannot be applied|incompatible types).*"));
    }

    /** What the compiler sees under {@code trueasync run}: there it has crashed, as a module was missing. */
    private static List<String> pathOfTheCommand() throws IOException {
        Path folder = Path.of("../launcher/target/dist");
        try (Stream<Path> jars = Files.list(folder.resolve("http"))) {
            String classPath = jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
            String modules = folder.resolve("modules").toString();
            return List.of("-classpath", classPath, "--module-path", modules, "--add-modules", "ALL-MODULE-PATH");
        }
    }

    private static Set<String> wrongCalls(Class<?> type) {
        String arguments = "(" + String.join(", ", Collections.nCopies(9, "w")) + ")";
        var calls = new TreeSet<String>();
        if (!Modifier.isPublic(type.getModifiers())) return calls;
        for (Method method : type.getMethods())
            if (method.getDeclaringClass().getPackageName().startsWith("org.trueasync") && !takesAny(method))
                calls.add("it." + method.getName() + arguments);
        if (!Modifier.isAbstract(type.getModifiers()) && type.getConstructors().length > 0)
            calls.add("new " + type.getCanonicalName() + arguments);
        return calls;
    }

    private static boolean takesAny(Method method) {
        return method.isVarArgs() && method.getParameterTypes()[0] == Object[].class;
    }

    @Test
    void overloadsThatCanNotBeChosen_areFound() {
        var calls = new OverloadCalls();
        calls.add(Doubtful.class);
        assertThat(ambiguous(calls))
                .containsExactlyInAnyOrder(
                        "OverloadsTest.Doubtful(null)",
                        "OverloadsTest.Doubtful.named(int, null)",
                        "OverloadsTest.Doubtful.several()",
                        "OverloadsTest.Doubtful.several(null)",
                        "OverloadsTest.Doubtful.work(null)",
                        "OverloadsTest.Doubtful.work(x -> value())",
                        "OverloadsTest.Doubtful.work(x -> { return ... })",
                        "OverloadsTest.Doubtful.work(x -> { throw ... })",
                        "OverloadsTest.Doubtful.work(::value)",
                        "OverloadsTest.Doubtful.work(::overloaded)");
    }

    /** What must not be. */
    @SuppressWarnings("unused") // looked at, not called
    public static class Doubtful {
        public Doubtful(String text) {}

        public Doubtful(Integer number) {}

        public void named(int count, String text) {}

        public void named(int count, Integer number) {}

        public static void several(String... texts) {}

        public static void several(Integer... numbers) {}

        public static void work(java.util.function.Supplier<?> task) {}

        public static void work(java.util.concurrent.Callable<?> task) {}

        /** The compiler takes this one for {@code null}. */
        public static void clear(Object any) {}

        public static void clear(String text) {}

        public static void clear(int number) {}
    }

    private static List<String> ambiguous(OverloadCalls calls) {
        var found = new DiagnosticCollector<JavaFileObject>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-Xmaxerrs", "1000", "-classpath", System.getProperty("java.class.path"));
        compiler.getTask(null, null, found, options, null, List.of(new Source(calls.source())))
                .call();
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getCode().equals("compiler.err.ref.ambiguous"))
                .map(diagnostic -> calls.names().get((int) diagnostic.getLineNumber() - OverloadCalls.firstLine()))
                .toList();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Calls.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
