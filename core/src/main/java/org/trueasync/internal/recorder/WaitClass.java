package org.trueasync.internal.recorder;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The kind of a wait as a small number: that of the class of what is waited for. Any thread. */
public final class WaitClass {
    private static final int MAX = 1 << 12;
    private static final List<String> NAMES = new CopyOnWriteArrayList<>(List.of(""));

    private static final ClassValue<Integer> NUMBERS = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            synchronized (NAMES) {
                if (NAMES.size() == MAX) return 0;
                NAMES.add(type.getName());
                return NAMES.size() - 1;
            }
        }
    };

    private WaitClass() {}

    /** Its number; 0 once there are too many. */
    public static int of(Class<?> type) {
        return NUMBERS.get(type);
    }

    /** The name of the class with a number. */
    public static String name(int number) {
        return NAMES.get(number);
    }
}
