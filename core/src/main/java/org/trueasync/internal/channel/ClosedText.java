package org.trueasync.internal.channel;

import org.trueasync.CloseReason;

/** The reasons for which a channel is closed, as texts for messages. */
final class ClosedText {
    private ClosedText() {}

    static String of(CloseReason reason) {
        return switch (reason) {
            case EXPLICIT -> "";
            case DISPOSED -> ": its runtime has ended";
            case NO_PRODUCERS -> ": nobody sends to it any more";
            case NO_CONSUMERS -> ": nobody receives from it any more";
            case DEADLOCK -> ": nothing else could make progress";
            case SCOPE_DISPOSED -> ": the scope that it was created in has been cancelled or disposed of";
        };
    }
}
