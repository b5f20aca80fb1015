package org.trueasync.spi;

/** Says whether the loop was woken. One thread triggers. */
final class RecordingTrigger extends LoopTrigger {
    int woken;

    @Override
    protected void wake() {
        woken++;
    }
}
