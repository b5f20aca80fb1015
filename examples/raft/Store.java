package raft;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the log makes, entry by entry, the same on each node: keys with values, and what the clients were told. */
final class Store {
    /** A client's last command. */
    private record Session(long request, String answer) {}

    private final Map<String, String> values = new TreeMap<>();
    private final Map<String, Session> sessions = new TreeMap<>();

    /** "" if there is none. */
    String get(String key) {
        return values.getOrDefault(key, "");
    }

    /** The answer to a command that was applied; null if a later one of this client was. */
    String answer(String client, long request) {
        Session session = sessions.get(client);
        return session != null && session.request == request ? session.answer : null;
    }

    /** A client repeats a command that it got no answer to, so the log may have it twice: it is applied once. */
    void apply(Entry entry) {
        if (entry.operation().equals("none")) return;
        Session session = sessions.get(entry.client());
        if (session != null && session.request >= entry.request()) return;
        sessions.put(entry.client(), new Session(entry.request(), change(entry)));
    }

    private String change(Entry entry) {
        String old = get(entry.key());
        boolean changes = !entry.operation().equals("cas") || old.equals(entry.expected());
        String now = entry.operation().equals("append") ? old + entry.value() : entry.value();
        if (changes) values.put(entry.key(), now);
        return switch (entry.operation()) {
            case "append" -> now;
            case "cas" -> Boolean.toString(changes);
            default -> "";
        };
    }

    // ---- snapshots

    List<String> save() {
        var saved = new ArrayList<String>();
        saved.add(Integer.toString(sessions.size()));
        sessions.forEach((client, last) -> saved.addAll(List.of(client, Long.toString(last.request), last.answer)));
        values.forEach((key, value) -> saved.addAll(List.of(key, value)));
        return saved;
    }

    void load(List<String> saved) {
        values.clear();
        sessions.clear();
        if (saved.isEmpty()) return;
        var next = saved.iterator();
        for (int left = Integer.parseInt(next.next()); left > 0; left--)
            sessions.put(next.next(), new Session(Long.parseLong(next.next()), next.next()));
        while (next.hasNext()) values.put(next.next(), next.next());
    }
}
