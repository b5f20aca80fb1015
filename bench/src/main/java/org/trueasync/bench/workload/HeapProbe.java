package org.trueasync.bench.workload;

/** Measures the heap before and after something was made. */
public interface HeapProbe {

    /** For checks of the workload itself, where the heap is of no interest. */
    HeapProbe NONE = new HeapProbe() {
        @Override
        public void before() {}

        @Override
        public void after() {}
    };

    /** Called after the warm-up, before anything that is to be weighed exists. */
    void before();

    /** Called when everything that is to be weighed exists and is suspended. */
    void after();
}
