package org.trueasync.launcher;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Shows a process on a page, until it has ended. */
final class InspectionPage {
    private InspectionPage() {}

    /**
     * Serves the page, and prints where it is.
     *
     * @param pid the process; null for the only one
     */
    static void show(@Nullable Long pid) throws UsageException, Question.Ended, InterruptedException {
        Inspected process = Inspected.at(Question.socketOf(pid == null ? Processes.only() : pid));
        var samples = new Samples(process);
        samples.take();
        try (PageServer server = PageServer.start(process, samples)) {
            System.out.println("Process " + process.pid() + ": " + server.url() + "\nCtrl-C ends this page.");
            System.out.flush();
            samples.takeUntilTheEnd();
        } catch (IOException e) {
            throw new UsageException("the page can't be served: " + e.getMessage());
        }
        System.out.println(samples.problem());
    }
}
