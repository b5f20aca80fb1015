package org.trueasync.spi;

import java.util.ServiceLoader;

/** Holds the only provider of schedulers, loaded on first use. */
final class InstalledScheduler {
    static final SchedulerProvider INSTANCE = ServiceLoader.load(
                    SchedulerProvider.class, SchedulerProvider.class.getClassLoader())
            .findFirst()
            .orElseThrow(() ->
                    new IllegalStateException("Bug in TrueAsync: core has no SchedulerProvider; is its jar complete?"));

    private InstalledScheduler() {}
}
