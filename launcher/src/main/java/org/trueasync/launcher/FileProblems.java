package org.trueasync.launcher;

import java.io.PrintWriter;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileObject;

/**
 * Prints and counts problems when the compiler reads files: bytes that are malformed in the encoding of sources, for
 * instance.
 */
final class FileProblems implements DiagnosticListener<JavaFileObject> {
    /*
     * In javax.tools the file manager is created apart from the compilation and reports to its own log, so the
     * compilation succeeds in spite of its errors. The javac command has one log for both.
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

    /** Prints the number of errors, like the compiler's last line. */
    void summarise() {
        messages.println(errors == 1 ? "1 error" : errors + " errors");
        messages.flush();
    }
}
