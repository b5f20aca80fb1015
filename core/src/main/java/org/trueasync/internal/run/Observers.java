package org.trueasync.internal.run;

import java.util.List;
import java.util.ServiceLoader;

/** The observers that are installed; looked for once. */
final class Observers {
    static final List<RunObserver> ALL =
            ServiceLoader.load(RunObserver.class, RunObserver.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private Observers() {}
}
