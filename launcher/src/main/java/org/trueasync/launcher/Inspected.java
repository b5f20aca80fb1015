package org.trueasync.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.trueasync.internal.inspect.SocketPlace;

/** A process that is asked again and again. */
interface Inspected {
    /** Its number. */
    long pid();

    /**
     * Asks it.
     *
     * @param question as the protocol has it
     * @param lines gets each line of the answer
     */
    void ask(String question, Consumer<String> lines) throws UsageException, Question.Ended;

    /** Whether it will never answer again; else it may only be stopped for a while. */
    boolean hasEnded();

    /** The one with this socket. */
    static Inspected at(Path socket) {
        return new Inspected() {
            @Override
            public long pid() {
                return SocketPlace.pidOf(socket);
            }

            @Override
            public void ask(String question, Consumer<String> lines) throws UsageException, Question.Ended {
                Question.ask(socket, question, lines);
            }

            @Override
            public boolean hasEnded() {
                return Question.removeIfStale(socket) || !Files.exists(socket);
            }
        };
    }
}
