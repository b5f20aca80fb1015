package org.trueasync.internal.http.h2;

import org.eclipse.jetty.http.HttpField;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

/** The head of a response. */
public final class ResponseHead extends MessageHead {
    private int status;

    private ResponseHead() {}

    /** Makes a head of a block of fields; null if it is malformed. */
    static @Nullable ResponseHead of(Fields block) {
        var head = new ResponseHead();
        for (HttpField field : block) {
            if (!isPseudo(field)) {
                if (!isOfMessage(field)) return null;
                head.add(field);
                continue;
            }
            String value = Fields.value(field);
            boolean isStatus = field.getName().equals(":status") && value.matches("[1-9][0-9][0-9]");
            if (!isStatus || head.status != 0 || head.fields.size() > 0) return null;
            head.status = Integer.parseInt(value);
        }
        // 101 is for HTTP/1 (RFC 9113, 8.6)
        return head.status == 0 || head.status == 101 || head.length < -1 ? null : head;
    }

    /** 100 to 999. */
    public int status() {
        return status;
    }

    /** True if it only says that the server is at work. */
    public boolean isInterim() {
        return status < 200;
    }
}
