package org.trueasync.examples.service;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A service in a process of its own, on a port that was free. */
final class RunningService implements AutoCloseable {
    private static final Pattern SERVES = Pattern.compile("Tomcat started on port (\\d+)");
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final List<String> FLAGS =
            List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");
    /** Half of the processor time of a start. */
    private static final List<String> SMALL = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** {@code trueasync run}; all that is not the command's is the program's. */
    private static final List<String> COMMAND = List.of(
            "--add-exports",
            "java.base/jdk.internal.vm=ALL-UNNAMED",
            "-cp",
            entries(entry ->
                    entry.matches(".*[/\\\\](launcher|core|reactor-libuv|reactor-nio|jdbc)[/\\\\]target[/\\\\].*")),
            "org.trueasync.launcher.Main",
            "run",
            // on a slow machine, the start of Spring takes longer than any limit
            "--held-loop-after",
            "off");

    private static final long ANY_START_S = 120;

    private final Process process;
    private final Thread reader;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final HttpClient client = HttpClient.newHttpClient();

    /** Starts a class with a main method, and waits until it serves. */
    static RunningService asProgram(Class<?> main, String... arguments) throws Exception {
        return new RunningService(List.of("-cp", CLASS_PATH, main.getName()), arguments);
    }

    /** As {@link #asProgram}; there is only one reactor on its class path. */
    static RunningService asProgramOnNio(Class<?> main, String... arguments) throws Exception {
        return new RunningService(
                List.of("-cp", entries(entry -> !entry.contains("libuv")), main.getName()), arguments);
    }

    /** As {@code trueasync run -cp ... Service}. */
    static RunningService underTheCommand(Class<?> main, String... arguments) throws Exception {
        return new RunningService(join(COMMAND, List.of("-cp", CLASS_PATH, main.getName())), arguments);
    }

    /** As {@code java -jar}, without any flag of TrueAsync. */
    static RunningService ofJar(Path jar) throws Exception {
        return new RunningService(new String[0], join(List.of(JAVA), SMALL, List.of("-jar", jar.toString())));
    }

    /** As {@code trueasync run service.jar}. */
    static RunningService ofJarUnderTheCommand(Path jar) throws Exception {
        return new RunningService(join(COMMAND, List.of(jar.toString())));
    }

    /** As it runs in production, with both of the JVM's compilers, on the first processor. */
    static RunningService loaded(List<String> flags, Class<?> main, String... arguments) throws Exception {
        List<String> program = List.of("-cp", CLASS_PATH, main.getName());
        return new RunningService(arguments, join(List.of("taskset", "-c", "0"), List.of(JAVA), FLAGS, flags, program));
    }

    @SafeVarargs
    private static List<String> join(List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (List<String> part : parts) all.addAll(part);
        return all;
    }

    private static String entries(Predicate<String> which) {
        return Arrays.stream(CLASS_PATH.split(File.pathSeparator))
                .filter(which)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private RunningService(List<String> program, String... arguments) throws Exception {
        this(arguments, join(List.of(JAVA), FLAGS, SMALL, program));
    }

    private RunningService(String[] arguments, List<String> command) throws Exception {
        command.add("--server.port=0");
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        reader = Thread.ofPlatform().start(this::read);
        try {
            port.get(ANY_START_S, TimeUnit.SECONDS);
        } catch (Exception e) {
            close();
            throw new AssertionError("did not start:\n" + log(), e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line; (line = lines.readLine()) != null; ) {
                log.add(line);
                Matcher serves = SERVES.matcher(line);
                if (serves.find()) port.complete(Integer.valueOf(serves.group(1)));
            }
        } catch (IOException e) {
            log.add(e.toString());
        }
        port.completeExceptionally(new IOException("it has ended"));
    }

    int port() {
        return port.join();
    }

    /** What it has printed so far. */
    String log() {
        return String.join("\n", log);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path));
    }

    HttpRequest.Builder requestOf(String user, String password, String path) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return request(path)
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> begin(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }

    /** Waits for a line of the log. */
    void awaitLog(String part) throws Exception {
        while (log.stream().noneMatch(line -> line.contains(part))) {
            if (!process.isAlive()) throw new AssertionError("ended without '" + part + "':\n" + log());
            Thread.sleep(5);
        }
    }

    /** The processor time that it has taken. */
    Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElseThrow();
    }

    /** The memory that it has of the system. */
    long rssBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")))
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        throw new IOException("no VmRSS");
    }

    void sendSigterm() {
        // Process.destroy would close the stream that its log comes through
        process.toHandle().destroy();
    }

    /** Waits for its end, and for the last line of its log. */
    int awaitExit() throws Exception {
        if (!process.waitFor(60, TimeUnit.SECONDS)) throw new AssertionError("still runs:\n" + log());
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
        reader.join();
        client.close();
    }
}
