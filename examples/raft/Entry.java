package raft;

import java.util.List;

/**
 * An entry of the replicated log: a command of a client.
 *
 * @param term of the leader that has taken it
 * @param request counts the client's commands
 * @param operation "put", "append" or "cas"; "none" when a new leader only wants an entry of its own
 * @param expected for "cas"
 */
record Entry(long term, String client, long request, String operation, String key, String value, String expected) {
    static final int FIELDS = 7;

    static Entry none(long term) {
        return new Entry(term, "", 0, "none", "", "", "");
    }

    List<String> fields() {
        return List.of(Long.toString(term), client, Long.toString(request), operation, key, value, expected);
    }

    static Entry of(List<String> fields) {
        return new Entry(
                Long.parseLong(fields.get(0)),
                fields.get(1),
                Long.parseLong(fields.get(2)),
                fields.get(3),
                fields.get(4),
                fields.get(5),
                fields.get(6));
    }
}
