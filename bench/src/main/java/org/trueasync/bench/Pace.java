package org.trueasync.bench;

import java.time.Duration;

/**
 * How long a run may take.
 *
 * <p>A round of a JMH suite is one fork of each benchmark, a round of the others one process of each peer.
 *
 * @param echoWarmUp what a fresh server is given on both cpus before it is pinned
 * @param httpWarmUp the same for a server of HTTP, which is more code
 * @param echoWindow what is then measured
 */
public record Pace(
        int jmhRounds,
        int memoryRounds,
        int timerRounds,
        int echoRounds,
        Duration echoWarmUp,
        Duration httpWarmUp,
        Duration echoWindow) {

    public static final Pace QUICK =
            new Pace(2, 1, 1, 2, Duration.ofSeconds(1), Duration.ofSeconds(8), Duration.ofSeconds(1));
    public static final Pace FULL =
            new Pace(5, 2, 5, 5, Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(2));
}
