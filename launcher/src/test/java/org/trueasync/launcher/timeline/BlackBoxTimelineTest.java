package org.trueasync.launcher.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.timeline.Timeline.Outcome;

class BlackBoxTimelineTest {
    private static final String RECORD = """
            trueasync-black-box 1,12,2026-01-01T00:00:00Z,asked for
            pause,-400,-300,end of minor GC
            runtime,main
            known,1,#1 'server' spawned Shop.java:3,accept on 127.0.0.1:80
            held,-900,-500,coroutine #2,Shop.java:9 < Shop.java:4
            request,-1000,-100,GET /report,1 ms: 1 ms pool
            run,-1000,1
            spawn,-990,2,1,report Shop.java:4
            leave,-980,1
            run,-980,2
            leave,-500,2
            sleep,-500,-300
            wake,-300,1,0,acquire from Pool 'db'
            run,-290,1
            wake,-280,2,1,receive from channel
            park,1,JDK code
            leave,-250,1
            run,-250,2
            end,-200,2,failed
            complete
            """;

    @TempDir
    Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("a.box"), text.replace(',', '\t'));
    }

    private Outcome write(Path record) throws IOException {
        return BlackBoxTimeline.write(record, () -> Files.newBufferedWriter(directory.resolve("a.json")));
    }

    private List<String> trace() throws IOException {
        return Files.readAllLines(directory.resolve("a.json"));
    }

    @Test
    void record_becomesATraceWithRunsWaitsAndWhoWokeWhom() throws Exception {
        Path record = file(RECORD);
        assertThat(BlackBoxTimeline.isOne(record)).isTrue();
        assertThat(write(record)).isEqualTo(Outcome.COMPLETE);
        List<String> trace = trace();
        assertThat(trace).anyMatch(line -> line.contains("loop of main"));
        assertThat(trace).anyMatch(line -> line.contains("\"name\":\"#2 report Shop.java:4\""));
        assertThat(trace)
                .anyMatch(line -> line.contains("acquire from Pool 'db'")
                        && line.contains("\"cat\":\"pool\"")
                        && line.contains("\"ts\":0.020,\"dur\":0.690"));
        assertThat(trace)
                .anyMatch(line -> line.contains("\"ph\":\"s\"")
                        && line.contains("\"name\":\"wake\"")
                        && line.contains("\"ts\":0.720"))
                .anyMatch(line -> line.contains("\"ph\":\"f\"")
                        && line.contains("\"name\":\"wake\"")
                        && line.contains("\"ts\":0.750"));
        assertThat(trace)
                .anyMatch(line -> line.contains("coroutine #2 holds the loop") && line.contains("Shop.java:9"));
        assertThat(trace).anyMatch(line -> line.contains("GET /report") && line.contains("1 ms pool"));
        assertThat(trace).anyMatch(line -> line.contains("end of minor GC"));
        assertThat(trace).anyMatch(line -> line.contains("accept on 127.0.0.1:80") && line.contains("cut"));
    }

    @Test
    void recordThatBreaksOff_givesWhatIsThere() throws Exception {
        assertThat(write(file(RECORD.substring(0, RECORD.indexOf("end,-200,2") + 6))))
                .isEqualTo(Outcome.CUT_OFF);
        assertThat(trace()).anyMatch(line -> line.contains("acquire from Pool"));
        assertThat(trace().getLast()).isEqualTo("]}");
    }

    @Test
    void recordOfAnotherVersion_isRefused() throws Exception {
        Path record = file(RECORD.replaceFirst("box 1", "box 2"));
        assertThatThrownBy(() -> write(record)).hasMessageContaining("another version");
        assertThat(BlackBoxTimeline.isOne(Files.writeString(directory.resolve("x"), "FLR")))
                .isFalse();
    }
}
