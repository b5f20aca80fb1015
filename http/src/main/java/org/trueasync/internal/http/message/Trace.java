package org.trueasync.internal.http.message;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trueasync.spi.ContextPropagator;

/**
 * The trace of which a request is a part. Sources: W3C, Trace Context, level 1, and of level 2 the flag of random ids;
 * W3C, Baggage.
 *
 * @param id 32 hexadecimal digits
 * @param span what serves the request; 16 digits
 * @param flags two digits
 * @param state what tracing systems tell each other; empty for nothing
 * @param baggage what programs tell each other; empty for nothing
 */
public record Trace(String id, String span, String flags, String state, String baggage) {
    /** Of the request that is being handled. */
    public static final ScopedValue<Trace> CURRENT = ScopedValue.newInstance();

    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";
    private static final String BAGGAGE = "baggage";
    private static final Pattern PARENT_FORM =
            Pattern.compile("(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final Pattern MEMBER = Pattern.compile(
            "([a-z][a-z0-9_\\-*/]{0,255}|[a-z0-9][a-z0-9_\\-*/]{0,240}@[a-z][a-z0-9_\\-*/]{0,13})=[ -~&&[^,=]]{1,256}");
    private static final int MOST_MEMBERS = 32;
    private static final Pattern BAGGAGE_FORM = Pattern.compile("[\t -~]{0,8192}");
    private static final int KNOWN_FLAGS = 3;
    /** Sampled, and of random digits. */
    private static final String FLAGS_OF_NEW = "03";

    /** How the module for contexts names them, in {@link ContextPropagator#callersText}. */
    private static final String PREFIX = "w3c:";

    /**
     * The trace that a request's fields name, or a new one if they name none, or more than one. Gives the fields to
     * OpenTelemetry too, if that is there.
     */
    public static Trace begin(Fields fields) {
        List<String> parents = fields.all(PARENT);
        Matcher parent = PARENT_FORM.matcher(parents.size() == 1 ? parents.getFirst() : "");
        boolean known =
                parent.matches() && (parent.group(5) == null || !parent.group(1).equals("00"));
        String baggage = String.join(",", fields.all(BAGGAGE));
        if (!BAGGAGE_FORM.matcher(baggage).matches()) baggage = "";
        if (!known) {
            give(Map.of(PREFIX + BAGGAGE, baggage));
            return new Trace(newId(), newSpan(), FLAGS_OF_NEW, "", baggage);
        }
        int flags = Integer.parseInt(parent.group(4), 16) & KNOWN_FLAGS;
        var trace = new Trace(parent.group(2), newSpan(), "0" + flags, state(fields.all(STATE)), baggage);
        give(Map.of(
                PREFIX + PARENT,
                trace.parent(parent.group(3)),
                PREFIX + STATE,
                trace.state,
                PREFIX + BAGGAGE,
                baggage));
        return trace;
    }

    private static void give(Map<String, String> text) {
        ContextPropagator.giveText(text);
    }

    /** Its members, or nothing if one of them is malformed. */
    private static String state(List<String> fields) {
        var keys = new HashSet<String>();
        var all = new StringBuilder();
        for (String field : fields) {
            for (String part : field.split(",")) {
                String member = part.strip();
                if (member.isEmpty()) continue;
                Matcher form = MEMBER.matcher(member);
                if (!form.matches() || !keys.add(form.group(1)) || keys.size() > MOST_MEMBERS) return "";
                all.append(all.isEmpty() ? "" : ",").append(member);
            }
        }
        return all.toString();
    }

    /** A number that nobody else has: 32 hexadecimal digits. */
    public static String newId() {
        return newSpan() + newSpan();
    }

    private static String newSpan() {
        long number = ThreadLocalRandom.current().nextLong();
        return number == 0 ? newSpan() : HexFormat.of().toHexDigits(number);
    }

    private String parent(String parentSpan) {
        return "00-" + id + '-' + parentSpan + '-' + flags;
    }

    /** The fields of a call to another service, which has a new span. */
    public Map<String, String> fields() {
        var fields = new LinkedHashMap<String, String>();
        fields.put(PARENT, parent(newSpan()));
        if (!state.isEmpty()) fields.put(STATE, state);
        if (!baggage.isEmpty()) fields.put(BAGGAGE, baggage);
        return fields;
    }

    /**
     * What a call of the caller's tells about its trace: OpenTelemetry's span if there is one, else {@link #CURRENT}.
     *
     * @param own what the call has already; of a trace that the program has named nothing is added
     */
    public static Map<String, String> ofCall(Fields own) {
        if (own.get(PARENT) != null) return Map.of();
        Map<String, String> others = ContextPropagator.callersText();
        boolean isOthers = others.containsKey(PREFIX + PARENT) || !CURRENT.isBound();
        if (isOthers && others.isEmpty()) return Map.of();
        Map<String, String> fields =
                isOthers ? new LinkedHashMap<>() : CURRENT.get().fields();
        others.forEach((name, value) -> {
            if (name.startsWith(PREFIX)) fields.put(name.substring(PREFIX.length()), value);
        });
        fields.keySet().removeIf(name -> own.get(name) != null);
        return fields;
    }
}
