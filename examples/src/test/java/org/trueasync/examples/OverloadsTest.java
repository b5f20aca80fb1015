package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
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
