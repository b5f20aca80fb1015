package org.trueasync.bench;

/** The processes of one peer. They make a pass when they are told to. */
public interface RunningPeer extends AutoCloseable {
    /** Makes a pass; returns a figure for each row of the suite, in their order. */
    String[] pass();

    @Override
    void close();

    /**
     * Returns a peer of one process, which makes a pass for each line that it gets.
     *
     * @param keyword the beginning of the line with the figures of a pass
     * @param afterwards runs after the end of the process
     */
    static RunningPeer of(ChildJvm child, String keyword, Runnable afterwards) {
        return new RunningPeer() {
            @Override
            public String[] pass() {
                child.send("PASS");
                return child.expect(keyword);
            }

            @Override
            public void close() {
                child.close();
                afterwards.run();
            }
        };
    }
}
