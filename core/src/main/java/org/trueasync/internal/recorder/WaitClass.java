package org.trueasync.internal.recorder;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * The kind of a wait as a small number: that of the class of what is waited for. Any thread.
 *
 * @param name of the class
 * @param isPlain true if its description is made of names and numbers: no code of the program is called, and no lock
 *     is met
 */
public record WaitClass(String name, boolean isPlain) {
    private static final int MAX = 1 << 12;
    private static final Pattern PLAIN = Pattern.compile(
            "org\\.trueasync\\.internal\\.((pool|channel|io)\\..*|kernel\\.Sleep|time\\.(HeapTimer|TimeoutEvent))");
    private static final List<WaitClass> KNOWN = new CopyOnWriteArrayList<>(List.of(new WaitClass("", false)));

    private static final ClassValue<Integer> NUMBERS = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            synchronized (KNOWN) {
                if (KNOWN.size() == MAX) return 0;
                String name = type.getName();
                KNOWN.add(new WaitClass(name, PLAIN.matcher(name).matches()));
                return KNOWN.size() - 1;
            }
        }
    };

    /** Its number; 0 once there are too many. */
    public static int of(Class<?> type) {
        return NUMBERS.get(type);
    }

    /** The class with a number. */
    public static WaitClass of(int number) {
        return KNOWN.get(number);
    }
}
