package org.trueasync.examples.service;

import org.trueasync.Async;

/** The service as an ordinary Java program; SIGTERM ends the requests under way, then Spring, then the process. */
public final class Main {
    private Main() {}

    static void main(String[] arguments) {
        Async.runtime().name("shop").shutdownOn().run(() -> Service.main(arguments));
    }
}
