package org.trueasync.internal.http.websocket;

/** Tells at the first wrong byte that a text in parts is no UTF-8 (RFC 3629). */
final class Utf8Check {
    /** How many bytes of a character are missing. */
    private int needed;
    /** What the next of them may be: that excludes overlong forms, surrogates, and what is beyond Unicode. */
    private int least = 0x80;

    private int most = 0xBF;

    /** Reads the next part; returns false if it can't be continued to UTF-8. */
    boolean accepts(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            int next = bytes[i];
            if (needed == 0) {
                if (next < 0 && !begins(next & 0xff)) return false;
            } else {
                next &= 0xff;
                if (next < least || next > most) return false;
                least = 0x80;
                most = 0xBF;
                needed--;
            }
        }
        return true;
    }

    private boolean begins(int lead) {
        if (lead < 0xC2 || lead > 0xF4) return false;
        needed = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        switch (lead) {
            case 0xE0 -> least = 0xA0;
            case 0xED -> most = 0x9F;
            case 0xF0 -> least = 0x90;
            case 0xF4 -> most = 0x8F;
            default -> {}
        }
        return true;
    }

    /** True if the parts so far end behind a character. */
    boolean isComplete() {
        return needed == 0;
    }

    /** Makes it ready for the next text. */
    void reset() {
        needed = 0;
        least = 0x80;
        most = 0xBF;
    }
}
