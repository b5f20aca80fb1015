package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    private static final Duration HELD = Duration.ofMillis(100);
    private static final Duration DRAIN = Duration.ofSeconds(10);

    @Test
    void programAlone_hasDefaults() throws Exception {
        assertThat(CommandLine.parse("run", "Hello.java"))
                .isEqualTo(new Command.Run(
                        null, null, DRAIN, Duration.ofSeconds(30), HELD, "4", null, "Hello.java", List.of()));
    }

    @Test
    void optionsBeforeProgram_areTheLaunchers() throws Exception {
        Command.Run run = run(
                "--reactor",
                "other",
                "-cp",
                "a:b",
                "--drain-timeout",
                "2",
                "--shutdown-timeout",
                "0.5",
                "--held-loop-after=5",
                "--black-box=16",
                "--record-on",
                "request=500ms,error",
                "Main");
        assertThat(run)
                .isEqualTo(new Command.Run(
                        "other",
                        "a:b",
                        Duration.ofSeconds(2),
                        Duration.ofMillis(500),
                        Duration.ofMillis(5),
                        "16",
                        "request=500ms,error",
                        "Main",
                        List.of()));
        assertThat(run("--reactor=libuv", "--class-path=x=y", "Main"))
                .isEqualTo(new Command.Run(
                        "libuv", "x=y", DRAIN, Duration.ofSeconds(30), HELD, "4", null, "Main", List.of()));
    }

    @Test
    void everythingAfterProgram_isTheProgramsUnchanged() throws Exception {
        assertThat(run("a.jar", "--reactor", "x", "--", "@file", "", "*", "$HOME", "--help")
                        .arguments())
                .containsExactly("--reactor", "x", "--", "@file", "", "*", "$HOME", "--help");
    }

    @Test
    void doubleDash_endsOptions() throws Exception {
        Command.Run run = run("--", "-odd.java", "--", "x");
        assertThat(run.program()).isEqualTo("-odd.java");
        assertThat(run.arguments()).containsExactly("--", "x");
    }

    @Test
    void unknownOption_namesTheNearest() {
        assertThatThrownBy(() -> run("--reacter", "libuv", "A.java"))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown option --reacter; did you mean --reactor?");
        assertThatThrownBy(() -> run("--recator=libuv", "A.java"))
                .hasMessage("unknown option --recator; did you mean --reactor?");
        assertThatThrownBy(() -> run("-pc", "x", "A")).hasMessage("unknown option -pc; did you mean -cp?");
        assertThatThrownBy(() -> run("--turbo", "A.java")).hasMessage("unknown option --turbo; see trueasync --help");
        assertThatThrownBy(() -> CommandLine.parse("rnu", "A.java"))
                .hasMessage("unknown command rnu; did you mean run?");
    }

    @Test
    void heldLoopLimit_isMillisecondsOrOff() throws Exception {
        assertThat(run("--held-loop-after", "off", "A").heldLoopAfter()).isZero();
        for (String wrong : List.of("soon", "-1", "3600001", "1.5"))
            assertThatThrownBy(() -> run("--held-loop-after", wrong, "A"))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("held loop limit must be 0 to 3600000 milliseconds, or off, got '" + wrong + "'");
    }

    @Test
    void missingPieces_areNamed() {
        assertThatThrownBy(CommandLine::parse).hasMessageStartingWith("nothing to do");
        assertThatThrownBy(this::run).hasMessageStartingWith("no program");
        assertThatThrownBy(() -> run("--reactor")).hasMessageStartingWith("option --reactor needs a value");
        assertThatThrownBy(() -> run("--reactor=", "A.java")).hasMessageStartingWith("option --reactor needs a value");
        assertThatThrownBy(() -> run("--")).hasMessageStartingWith("no program");
    }

    @Test
    void timeoutOutOfRange_isRefused() {
        for (String wrong : List.of("-1", "NaN", "soon", "86401", "Infinity")) {
            assertThatThrownBy(() -> run("--shutdown-timeout", wrong, "A.java"))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("shutdown timeout must be 0 to 86400 seconds, got '" + wrong + "'");
            assertThatThrownBy(() -> run("--drain-timeout", wrong, "A.java"))
                    .hasMessage("drain timeout must be 0 to 86400 seconds, got '" + wrong + "'");
        }
    }

    @Test
    void questionsToAProcess_haveItsNumber() throws Exception {
        assertThat(CommandLine.parse("ps")).isEqualTo(new Command.Processes());
        assertThat(CommandLine.parse("mcp")).isEqualTo(new Command.Mcp());
        assertThat(CommandLine.parse("tree", "12")).isEqualTo(new Command.Ask(12, "tree", false));
        assertThat(CommandLine.parse("tree", "--all", "12")).isEqualTo(new Command.Ask(12, "tree --all", false));
        assertThat(CommandLine.parse("stats", "12", "--watch")).isEqualTo(new Command.Ask(12, "stats", true));
        assertThat(CommandLine.parse("dump", "12", "--json")).isEqualTo(new Command.Ask(12, "json", false));
        assertThat(CommandLine.parse("stuck", "12")).isEqualTo(new Command.Ask(12, "stuck", false));
        assertThat(CommandLine.parse("inspect", "12")).isEqualTo(new Command.Inspect(12L));
        assertThat(CommandLine.parse("inspect")).isEqualTo(new Command.Inspect(null));
        assertThat(CommandLine.parse("inspect", "--help")).isEqualTo(new Command.Help());
        assertThat(CommandLine.parse("why", "--help")).isEqualTo(new Command.Help());
    }

    @Test
    void wrongQuestionsToAProcess_areRefusedWithTheWayOut() {
        assertThatThrownBy(() -> CommandLine.parse("tree"))
                .hasMessage("which process? trueasync ps lists them: trueasync tree PID");
        assertThatThrownBy(() -> CommandLine.parse("why", "main"))
                .hasMessage("'main' is not the number of a process; trueasync ps lists them");
        assertThatThrownBy(() -> CommandLine.parse("dump", "-1")).hasMessage("unknown option -1; see trueasync --help");
        assertThatThrownBy(() -> CommandLine.parse("tree", "1", "2")).hasMessageStartingWith("one process at a time");
        assertThatThrownBy(() -> CommandLine.parse("stats", "1", "--wach"))
                .hasMessage("unknown option --wach; did you mean --watch?");
        assertThatThrownBy(() -> CommandLine.parse("ps", "1")).hasMessageStartingWith("nothing is expected after ps");
        assertThatThrownBy(() -> CommandLine.parse("mcp", "1")).hasMessageStartingWith("nothing is expected after mcp");
    }

    @Test
    void programOfACommandLine_isToldWithoutTheOptions() {
        String main = "org.trueasync.launcher/org.trueasync.launcher.Main ";
        assertThat(Processes.program(main + "run --reactor nio Hello.java a b")).isEqualTo("Hello.java a b");
        assertThat(Processes.program("com.example.Server 80")).isEqualTo("com.example.Server 80");
    }

    @Test
    void timeline_namesARecordingAndAnOutput() throws Exception {
        assertThat(CommandLine.parse("timeline", "a.jfr")).isEqualTo(new Command.Timeline("a.jfr", null));
        assertThat(CommandLine.parse("timeline", "a.jfr", "-o", "-")).isEqualTo(new Command.Timeline("a.jfr", "-"));
        assertThatThrownBy(() -> CommandLine.parse("timeline")).hasMessageContaining("which recording?");
        assertThatThrownBy(() -> CommandLine.parse("timeline", "a.jfr", "-o")).hasMessageContaining("-o needs a value");
        assertThatThrownBy(() -> CommandLine.parse("timeline", "a", "b"))
                .hasMessageContaining("one recording at a time");
    }

    @Test
    void record_namesAProcessAndAnOutput() throws Exception {
        assertThat(CommandLine.parse("record", "12")).isEqualTo(new Command.RecordOf(12, null));
        assertThat(CommandLine.parse("record", "-o", "a.box", "12")).isEqualTo(new Command.RecordOf(12, "a.box"));
        assertThatThrownBy(() -> CommandLine.parse("record")).hasMessageContaining("which process?");
        assertThatThrownBy(() -> CommandLine.parse("record", "1", "2")).hasMessageContaining("one process at a time");
        assertThatThrownBy(() -> CommandLine.parse("record", "x")).hasMessageContaining("'x' is not the number");
    }

    @Test
    void blackBox_isASizeOrOff_andItsLimitsAreKnown() throws Exception {
        assertThat(run("--black-box", "off", "A").blackBox()).isEqualTo("off");
        for (String wrong : List.of("0", "3", "2048", "many"))
            assertThatThrownBy(() -> run("--black-box", wrong, "A"))
                    .hasMessage("black box must be off, or a power of two from 1 to 1024 MiB, got '" + wrong + "'");
        assertThatThrownBy(() -> run("--record-on", "held=100", "A"))
                .hasMessage("record on: a time is like 500ms or 2s, got 'held=100'");
        assertThatThrownBy(() -> run("--record-on", "error,slow", "A"))
                .hasMessageContaining(
                        "expected request=TIME, held=TIME, pool=TIME, error, stuck, drain or end, got 'slow'");
        assertThatThrownBy(() -> run("--record-on", "end", "--black-box", "off", "A"))
                .hasMessage("--record-on needs a black box, and --black-box is off");
    }

    @Test
    void simulate_hasDefaults_andOptionsOnBothSides() throws Exception {
        assertThat(CommandLine.parse("simulate", "A.java"))
                .isEqualTo(new Command.Simulate(null, "A.java", null, 1, 1_000, 1, null));
        assertThat(CommandLine.parse(
                        "simulate", "--seeds=10_000", "A", "--jobs", "2", "-cp", "x", "--from", "5", "--scenario", "s"))
                .isEqualTo(new Command.Simulate("x", "A", "s", 5, 10_000, 2, null));
        assertThat(CommandLine.parse("simulate", "A.java", "--seed", "-7", "--jobs", "2", "--timeline", "t.json"))
                .isEqualTo(new Command.Simulate(null, "A.java", null, -7, 1, 1, "t.json"));
        assertThat(CommandLine.parse("simulate", "--help")).isEqualTo(new Command.Help());
    }

    @Test
    void wrongSimulate_isRefusedWithTheWayOut() {
        assertThatThrownBy(() -> CommandLine.parse("simulate"))
                .hasMessageStartingWith("no program: trueasync simulate");
        assertThatThrownBy(() -> CommandLine.parse("simulate", "A.java", "B.java"))
                .hasMessageStartingWith("one program at a time, got 'B.java' too");
        assertThatThrownBy(() -> CommandLine.parse("simulate", "A.java", "--seeds", "0"))
                .hasMessage("--seeds must be a whole number, 1 to 2147483647, got '0'");
        assertThatThrownBy(() -> CommandLine.parse("simulate", "A.java", "--sed", "3"))
                .hasMessage("unknown option --sed; did you mean --seed?");
    }

    @Test
    void helpAndVersion_areFoundInBothPlaces() throws Exception {
        assertThat(CommandLine.parse("--help")).isEqualTo(new Command.Help());
        assertThat(CommandLine.parse("run", "--help", "A.java")).isEqualTo(new Command.Help());
        assertThat(CommandLine.parse("--version")).isEqualTo(new Command.Version());
        assertThat(CommandLine.parse("run", "--version")).isEqualTo(new Command.Version());
    }

    private Command.Run run(String... arguments) throws UsageException {
        String[] all = new String[arguments.length + 1];
        all[0] = "run";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return (Command.Run) CommandLine.parse(all);
    }
}
