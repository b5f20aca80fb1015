package org.trueasync.internal.threads;

import org.trueasync.ThreadChannelException;

/** Calls whose refusal is an outcome. */
final class Calls {
    private Calls() {}

    /** The next value, or 0 if the channel is closed and empty. */
    static int receiveOrZero(ThreadChannelCore channel) {
        try {
            return (Integer) channel.receive(null);
        } catch (ThreadChannelException closed) {
            return 0;
        }
    }

    /** False if the channel is closed. */
    static boolean send(ThreadChannelCore channel, int value) {
        try {
            channel.send(value, null);
            return true;
        } catch (ThreadChannelException closed) {
            return false;
        }
    }
}
