package org.trueasync.internal.text;

/** Texts of others in messages, which are to stay on their line. */
public final class Printable {
    private Printable() {}

    /** The text with its control characters written as in Java: {@code \n}, {@code \0}. */
    public static String of(String text) {
        var shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\0' -> shown.append("\\0");
                case '\n' -> shown.append("\\n");
                case '\r' -> shown.append("\\r");
                case '\t' -> shown.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) shown.append("\\u%04x".formatted((int) c));
                    else shown.append(c);
                }
            }
        }
        return shown.toString();
    }
}
