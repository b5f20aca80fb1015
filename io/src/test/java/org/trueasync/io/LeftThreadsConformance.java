package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The threads that are left after a run, in a process of its own. */
@Tag("deep")
@Tag("D26")
public abstract class LeftThreadsConformance {
    /** The threads that the guide lists, in library.md. */
    static final String LISTED =
            "trueasync-(deadlock-watch|handles|pinned-waits" + "|blocking|device|file|lock|name|process|resolver|tls)";

    @Test
    void threadsAfterARun_areListedInTheGuideAndEndWithinTenSeconds() throws Exception {
        List<String> lines = new ChildProgram().run(LeftThreads.class).lines().toList();
        assertThat(lines).endsWith("left in the end: []", "exit 0");
        assertThat(lines).contains("blocking: trueasync-blocking", "plain: trueasync-deadlock-watch");
        assertThat(lines.subList(0, lines.size() - 2)).allMatch(line -> line.matches("[a-z]+: " + LISTED));
    }
}
