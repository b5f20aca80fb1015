package org.trueasync.launcher;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.trueasync.launcher.timeline.BlackBoxTimeline;
import org.trueasync.stress.fuzz.Inputs;

/** A black box's file, whole, cut off or spoilt: its timeline is JSON. */
public final class BlackBoxFuzz {
    private static final String HEAD = "trueasync-black-box 1\t1\t2026-01-01T00:00:00Z\ttest\n";
    public static final List<byte[]> SEEDS = Inputs.seeds(
            HEAD + "pause\t-900\t-800\tyoung\nruntime\tmain\nknown\t7\tx\tsleep\nrun\t-500\t7\nleave\t-400\t7\n"
                    + "park\t7\tlock\nwake\t-300\t7\t0\tsleep\nspawn\t-250\t8\t7\ty\nend\t-200\t8\tcompleted\n"
                    + "sleep\t-100\t0\ncomplete\n",
            HEAD + "runtime\tmain\nheld\t-9\t-1\t#7\tat x\nrequest\t-9\t-1\tGET /\t200\tlock\t5\tx\nwake\t1\t2\t3\t");

    private static final Path FILE = file();

    private BlackBoxFuzz() {}

    private static Path file() {
        try {
            Path file = Files.createTempFile("fuzz", ".box");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Files.write(FILE, input);
        var text = new StringWriter();
        try {
            if (!BlackBoxTimeline.isOne(FILE)) return;
            BlackBoxTimeline.write(FILE, () -> text);
        } catch (IOException notReadable) {
            return;
        }
        Json.parse(text.toString());
    }
}
