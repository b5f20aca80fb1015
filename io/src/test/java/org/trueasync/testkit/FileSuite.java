package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.io.AsyncFile;

/** What tests of files have in common. */
abstract class FileSuite {
    final ReactorKit kit;
    final TestRun run;

    @TempDir(factory = Folders.class)
    Path folder;

    Path path;

    FileSuite(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    /** Makes them where the suite says. */
    static final class Folders implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            Path parent = ((FileSuite) context.getRequiredTestInstance()).fileSystem();
            return parent == null ? Files.createTempDirectory("junit-") : Files.createTempDirectory(parent, "junit-");
        }
    }

    /** Where the files are; null for the usual place. */
    @Nullable
    protected Path fileSystem() {
        return null;
    }

    @BeforeEach
    void name() {
        path = folder.resolve("file");
    }

    /** Runs it; nothing that it began is left when it ends. */
    void run(Body body) {
        run.run(() -> {
            body.run();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        assertThat(run.complaints()).isEmpty();
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static String read(AsyncFile file, int most) {
        ByteBuffer into = ByteBuffer.allocate(most);
        int count = file.read(into);
        if (count < 0) return "end";
        assertThat(into.position()).isEqualTo(count);
        return new String(into.array(), 0, count, StandardCharsets.UTF_8);
    }

    static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    Path fifo() throws IOException, InterruptedException {
        Path fifo = folder.resolve("fifo");
        try {
            assumeTrue(
                    new ProcessBuilder("mkfifo", "-m", "600", fifo.toString())
                                    .start()
                                    .waitFor()
                            == 0,
                    "no mkfifo here");
        } catch (IOException e) {
            Assumptions.abort("no mkfifo here: " + e.getMessage());
        }
        return fifo;
    }
}
