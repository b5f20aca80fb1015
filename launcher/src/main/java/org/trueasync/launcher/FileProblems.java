package org.trueasync.launcher;

import java.io.PrintWriter;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileObject;

/** Shows, and counts, what goes wrong when the compiler reads files: bytes that are no text in the encoding of sources, for instance. */
final class FileProblems implements DiagnosticListener<JavaFileObject> {
    /*
     * A file manager that is made apart from the compilation, as the interface in javax.tools has it, reports to a log of its own, and the
     * compilation succeeds whatever is in there. The javac command has one log for both.
     */

    private final PrintWriter messages;
    private int errors;

    FileProblems(PrintWriter messages) {
        this.messages = messages;
    }

    @Override
    public void report(Diagnostic<? extends JavaFileObject> problem) {
        messages.println(problem);
        if (problem.getKind() == Diagnostic.Kind.ERROR) {
            errors++;
        }
    }

    int errors() {
        return errors;
    }

    /** The compiler's last line. */
    void summarise() {
        messages.println(errors == 1 ? "1 error" : errors + " errors");
        messages.flush();
    }
}
