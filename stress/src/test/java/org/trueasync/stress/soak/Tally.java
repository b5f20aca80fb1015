package org.trueasync.stress.soak;

/** What a lane has done. */
final class Tally {
    final String name;
    /** That have arrived. */
    long messages;
    /** That were made on purpose. */
    long faults;
    /** Datagrams that have not come, as the network or a fault may drop them. */
    long dropped;

    Tally(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return String.format("%s %,d (%,d faults)", name, messages, faults)
                + (dropped == 0 ? "" : String.format(", %,d not come", dropped));
    }
}
