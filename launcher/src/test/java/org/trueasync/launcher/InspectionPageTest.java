package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a real process in a real browser. */
@Tag("deep")
class InspectionPageTest {
    @TempDir
    Path directory;

    private Path sockets;
    private Process program;
    private Process page;
    private BufferedReader told;

    @BeforeEach
    void directory() throws Exception {
        sockets = Files.createDirectory(directory.resolve("run"));
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : new Process[] {page, program})
            if (process != null) process.destroyForcibly().waitFor();
    }

    private Process start(String... words) throws Exception {
        ProcessBuilder builder = LauncherProcess.starting(directory, words)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().put("XDG_RUNTIME_DIR", sockets.toString());
        builder.environment().put("TRUEASYNC_CACHE", "off");
        return builder.start();
    }

    /** Starts a program and its page, and returns where that is. */
    private String inspect(String text) throws Exception {
        LauncherProcess.write(directory, "Program.java", text);
        program = start("run", "Program.java");
        Path socket = sockets.resolve("trueasync").resolve(program.pid() + ".sock");
        while (!Files.exists(socket)) {
            assertThat(program.isAlive()).isTrue();
            Thread.sleep(20);
        }
        page = start("inspect", Long.toString(program.pid()));
        told = page.inputReader(StandardCharsets.UTF_8);
        String line = told.readLine();
        assertThat(line).startsWith("Process " + program.pid() + ": http://127.0.0.1:");
        assertThat(told.readLine()).isEqualTo("Ctrl-C ends this page.");
        return line.substring(line.indexOf("http:"));
    }

    private static String text(String id) {
        return "(document.getElementById('" + id + "')?.innerText ?? '')";
    }

    @Test
    void page_showsNamesAsTextSearchesAndGoesOnUntilTheProcessEnds() throws Exception {
        try (var browser = new Browser(directory.resolve("profile"))) {
            String url = inspect("""
                    import static org.trueasync.Async.*;
                    import org.trueasync.*;
                    void main() {
                        var scope = new Scope("requests");
                        for (int i = 0; i < 300; i++) scope.spawn("request-" + i, () -> delay(600_000));
                        spawn("<img src=x onerror=document.title='run'>", () -> new Channel<String>().receive());
                        spawn("ticker", () -> { while (true) delay(5); });
                        new Channel<String>().receive();
                    }
                    """);
            browser.look(1_180, 1_250, false);
            browser.open(url);
            browser.await("document.querySelectorAll('.row').length == 4");
            assertThat(browser.value("location.href.includes('" + url.substring(url.lastIndexOf('/')) + "')"))
                    .as("the token is in the address")
                    .isEqualTo("false");
            browser.await(text("scopes") + ".includes('300 × request')");
            browser.await(text("scopes") + ".includes('<img src=x onerror=')");
            assertThat(browser.value("document.images.length")).isEqualTo("0");
            browser.await(text("why") + ".startsWith('Runtime \\'main\\' goes on: main has not returned')");

            // numbers move
            String before = browser.value("document.querySelectorAll('.card')[2].children[2].innerText");
            browser.await("document.querySelectorAll('.card')[2].children[2].innerText != '" + before + "'");

            // a group opens, and stays open after the next reading
            browser.value("[...document.querySelectorAll('.row summary')].find(row =>"
                    + " row.innerText.includes('300')).click() ?? 1");
            browser.await("document.querySelectorAll('.members li').length == 100");
            String read = browser.value(text("read"));
            browser.await(text("read") + " != '" + read + "'");
            browser.await("document.querySelectorAll('.members li').length == 100");
            browser.value("document.querySelector('.members ~ button').click() ?? 1");
            browser.await("document.querySelectorAll('.members li').length == 300");

            // a search finds one
            browser.value("document.getElementById('text').value = 'request-123';"
                    + "document.getElementById('text').dispatchEvent(new Event('input', { bubbles: true }))");
            browser.await(
                    "document.querySelectorAll('.row').length == 1 && " + text("scopes") + ".includes('1 of 300')");
            assertThat(browser.picture()).hasSizeGreaterThan(10_000);
            assertThat(browser.value("document.title")).startsWith("Program.java");

            program.destroy();
            program.waitFor();
            browser.await(text("problem") + ".startsWith('Process " + program.pid() + " has ended')");
            assertThat(told.readLine()).isEqualTo("Process " + program.pid() + " has ended");
            assertThat(page.waitFor()).isZero();
        }
    }

    @Test
    void buttonOfAnotherRuntime_showsItsNumbers() throws Exception {
        try (var browser = new Browser(directory.resolve("profile"))) {
            String url = inspect("""
                    import static org.trueasync.Async.*;
                    import java.util.concurrent.CountDownLatch;
                    import org.trueasync.*;
                    void main() {
                        begin(3);
                        begin(40);
                        delay(600_000);
                    }
                    void begin(int sleepers) {
                        var begun = new CountDownLatch(1);
                        Thread.ofPlatform().daemon().start(() -> Async.runtime().name("worker").build().run(() -> {
                            for (int i = 0; i < sleepers; i++) spawn(() -> delay(600_000));
                            begun.countDown();
                            delay(600_000);
                        }));
                        try {
                            begun.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                    """);
            String buttons = "[...document.querySelectorAll('#runtimes button')]";
            String coroutines = "document.querySelector('.card b').innerText";
            browser.look(1_180, 1_250, false);
            browser.open(url);
            browser.await(buttons + ".map(one => one.dataset.name).join() == 'main,worker,worker-2'");
            browser.await(coroutines + " == '1'");
            browser.value(buttons + "[2].click() ?? 1");
            browser.await(coroutines + " == '41'");
            browser.await(buttons + "[2].ariaPressed == 'true'");
            browser.await(text("scopes") + ".includes(\"Runtime 'worker-2'\")");
        }
    }

    @Test
    void heldLoop_isToldWithWhoHoldsIt() throws Exception {
        try (var browser = new Browser(directory.resolve("profile"))) {
            String url = inspect("""
                    import static org.trueasync.Async.*;
                    void main() {
                        await(spawn("spinner", () -> { while (true) Thread.onSpinWait(); }));
                    }
                    """);
            browser.look(1_180, 1_250, true);
            browser.open(url);
            browser.await(text("state") + " == 'held'");
            browser.await(text("why") + ".includes('is held by coroutine #2 \\'spinner\\'')");
            browser.await("document.querySelector('#scopes .problem')?.innerText.includes('Program.java:3')");
        }
    }

    @Test
    void blackBox_isDrawnOnRequest_withSlowRequestsAndLongTurns() throws Exception {
        try (var browser = new Browser(directory.resolve("profile"))) {
            String url = inspect("""
                    import static org.trueasync.Async.*;
                    import org.trueasync.*;
                    import org.trueasync.diagnostics.Ledger;
                    void main() {
                        var pool = Pool.of(() -> "connection").name("db").max(1).build();
                        spawn("import", () -> {
                            while (true) {
                                pool.use(connection -> { delay(60); return 1; });
                                delay(30);
                            }
                        });
                        spawn("report", () -> {
                            while (true) {
                                delay(400);
                                compute(45);
                            }
                        });
                        spawn("server", () -> {
                            while (true) {
                                try (var ledger = Ledger.open("GET /<b>order</b>")) {
                                    pool.use(connection -> { compute(8); return 1; });
                                    delay(15);
                                }
                            }
                        });
                        delay(600_000);
                    }
                    void compute(int millis) {
                        long end = System.nanoTime() + millis * 1_000_000L;
                        while (System.nanoTime() - end < 0) Thread.onSpinWait();
                    }
                    """);
            browser.look(1_180, 1_500, false);
            browser.open(url);
            browser.await("document.querySelectorAll('.card').length > 4");
            browser.value("document.getElementById('record-now').click() ?? 1");
            browser.await("document.querySelectorAll('#minute .busy').length > 3");
            browser.await(text("lately") + ".includes('GET /<b>order</b>')");
            browser.await(text("lately") + ".includes('report')");
            browser.value("document.querySelectorAll('details.request').forEach(one => one.open = true) ?? 1");
            browser.await(text("lately") + ".includes(\"acquire from Pool 'db'\")");
            assertThat(browser.picture()).hasSizeGreaterThan(10_000);
        }
    }
}
