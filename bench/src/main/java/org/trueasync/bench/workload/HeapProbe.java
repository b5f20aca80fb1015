package org.trueasync.bench.workload;

/** Looks at the heap twice. */
public interface HeapProbe {

    /** For checks of the workload itself, where the heap is of no interest. */
    HeapProbe NONE = new HeapProbe() {
        @Override
        public void before() {}

        @Override
        public void after() {}
    };

    /** Warm, but nothing of what is to be weighed exists yet. */
    void before();

    /** Everything that is to be weighed exists and is suspended. */
    void after();
}
