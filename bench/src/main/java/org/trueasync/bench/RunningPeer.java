package org.trueasync.bench;

/** The processes of one peer, which measure when they are told to. */
public interface RunningPeer extends AutoCloseable {
    /** Makes a pass; gives a figure for each row of the suite, in their order. */
    String[] pass();

    @Override
    void close();

    /**
     * One process, which makes a pass for each line that it is told.
     *
     * @param keyword what the line with its figures begins with
     * @param afterwards what to do when the process has gone
     */
    static RunningPeer of(ChildJvm child, String keyword, Runnable afterwards) {
        return new RunningPeer() {
            @Override
            public String[] pass() {
                child.say("PASS");
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
