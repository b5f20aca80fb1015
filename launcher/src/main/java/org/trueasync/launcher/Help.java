package org.trueasync.launcher;

import java.util.List;
import org.trueasync.spi.ReactorProvider;

/** The help text. */
final class Help {
    private Help() {}

    static String text() {
        return """
                Usage: trueasync run [options] FILE.java [arguments]
                       trueasync run [options] app.jar [arguments]
                       trueasync run [options] -cp PATH MainClass [arguments]
                       trueasync simulate [options] FILE.java
                       trueasync simulate [options] -cp PATH Class
                       trueasync new service|library|script NAME
                       trueasync explain [WORD]
                       trueasync ps
                       trueasync tree PID [--all]
                       trueasync why PID
                       trueasync stats PID [--watch]
                       trueasync stuck PID
                       trueasync dump PID [--json]
                       trueasync inspect [PID]
                       trueasync record PID [-o OUT.box]
                       trueasync mcp
                       trueasync timeline RECORDING [-o OUT.json]

                Runs the program's main as the main coroutine. The process ends when main and
                every active coroutine have ended.

                simulate runs the simulations of a program, its methods void name(Simulation),
                with one seed after another, until one fails.

                new makes a project for Maven, which builds, tests and starts as it is, or a
                program of one file.

                explain says what a message means and what to do, by its word; without one it
                lists the words.

                ps to inspect look into running processes of the same user: ps lists them, tree
                shows scopes and coroutines and what each waits for, why says why the process
                has not ended, stats shows counts (with --watch each second), stuck finds
                coroutines that nothing can wake, dump shows all, inspect shows all on a page
                for the browser.

                mcp answers a program's questions of that kind on the standard streams, by the
                Model Context Protocol.

                record writes the black box of a process to a file: what its loops have done in
                the last seconds. timeline turns that file, or a flight recording, into a trace
                for ui.perfetto.dev or chrome://tracing; without -o it stands beside it.

                Options of run, before the program's name:
                  --reactor NAME              %s
                  -cp, --class-path PATH      classes of the program, or libraries of FILE.java
                  --drain-timeout SECONDS     how long requests and other work under way may go on
                                              after a signal or System.exit; 10 without it
                  --shutdown-timeout SECONDS  how long coroutines may then take to end; 30
                                              without it
                  --held-loop-after MS        reports who lets nobody else run for that long, once
                                              for each place; 100 without it, off for never
                  --black-box MB              how much each loop keeps of what it has done; 4
                                              without it, off for nothing
                  --record-on LIMIT,...       writes the black box when a limit is passed, once a
                                              minute: request=500ms, held=100ms, pool=1s,
                                              error, stuck, drain; and end, at the end
                  --watch                     starts the program again when its sources or
                                              classes have changed
                  --                          ends the options
                  --help                      this text
                  --version                   the versions

                Options of simulate:
                  --seeds N                   how many seeds; 1000 without it
                  --from N                    the first seed; 1 without it
                  --seed N                    this seed alone
                  --jobs N                    in how many processes at a time; 1 without it
                  --scenario NAME             this method alone
                  --timeline FILE             writes a trace of the seed that fails, or of --seed,
                                              for ui.perfetto.dev or chrome://tracing
                  -cp, --class-path PATH      as for run

                Options for the JVM itself go into the environment variable JDK_JAVA_OPTIONS.
                What makes later starts quick is kept in ~/.cache/trueasync; TRUEASYNC_CACHE
                names another directory, or off.

                Exit status: what the program gives to System.exit; 1 after an unhandled error,
                a deadlock, a seed that fails or a source file that does not compile; 2 if it
                was not started; 128 + n after signal n.
                """.formatted(reactors());
    }

    /** The reactors that can be chosen here: those that are installed. */
    private static String reactors() {
        List<String> names =
                ReactorProvider.installed().stream().map(ReactorProvider::name).toList();
        return switch (names.size()) {
            case 0 -> "none is installed here";
            case 1 -> names.getFirst() + ", the only one installed here";
            default -> String.join(", ", names) + "; without it the first that works";
        };
    }
}
