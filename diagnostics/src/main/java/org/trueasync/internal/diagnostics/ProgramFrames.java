package org.trueasync.internal.diagnostics;

import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the program's own frames from those of libraries. A library is what comes from a jar, other than the one that
 * the program was started from or that its main class is in. A class that can't be found by its name is the program's:
 * it was compiled in memory. Any thread.
 */
final class ProgramFrames {
    private static final int MAX_SHOWN = 8;
    private static final int MAX_LIBRARIES = 3;

    /** By class. */
    private static final Map<String, Boolean> KNOWN = new ConcurrentHashMap<>();

    private ProgramFrames() {}

    /**
     * The place where the program is: its innermost own frame; the innermost one if there is none of its own.
     *
     * @param frames innermost first, not empty
     */
    static StackTraceElement innermost(List<StackTraceElement> frames) {
        for (StackTraceElement frame : frames) if (isOwn(frame)) return frame;
        return frames.getFirst();
    }

    /**
     * The frames as texts, outermost first. Of neighbours that are libraries' there is one text, which counts them. If
     * there is no own frame, all count as own. Of many own ones the outermost are shown, and the innermost.
     *
     * @param frames innermost first
     */
    static List<String> shown(List<StackTraceElement> frames) {
        boolean anyOwn = frames.stream().anyMatch(ProgramFrames::isOwn);
        var texts = new ArrayList<String>();
        var libraries = new ArrayList<StackTraceElement>();
        for (StackTraceElement frame : frames.reversed()) {
            if (anyOwn && !isOwn(frame)) {
                libraries.add(frame);
                continue;
            }
            fold(libraries, texts);
            texts.add(frame.toString());
        }
        fold(libraries, texts);
        if (texts.size() <= MAX_SHOWN) return texts;
        var some = new ArrayList<>(texts.subList(0, MAX_SHOWN - 2));
        some.add("... " + (texts.size() - MAX_SHOWN) + " more");
        some.addAll(texts.subList(texts.size() - 2, texts.size()));
        return some;
    }

    private static void fold(List<StackTraceElement> libraries, List<String> texts) {
        if (libraries.isEmpty()) return;
        Set<String> names = new LinkedHashSet<>();
        for (StackTraceElement frame : libraries) names.add(library(frame.getClassName()));
        String named = String.join(", ", names.stream().limit(MAX_LIBRARIES).toList());
        texts.add("... " + libraries.size() + " of " + named + (names.size() > MAX_LIBRARIES ? ", ..." : ""));
        libraries.clear();
    }

    /** Its first two names, as {@code org.postgresql}. */
    private static String library(String className) {
        int first = className.indexOf('.');
        int second = className.indexOf('.', first + 1);
        return second > 0 ? className.substring(0, second) : className;
    }

    private static boolean isOwn(StackTraceElement frame) {
        String name = frame.getClassName();
        Boolean known = KNOWN.get(name);
        if (known != null) return known;
        boolean own = !isOfALibrary(name);
        KNOWN.put(name, own);
        return own;
    }

    private static boolean isOfALibrary(String className) {
        String place = place(className);
        return place != null && isJar(place) && !place.equals(Started.PLACE);
    }

    private static boolean isJar(String place) {
        return place.endsWith(".jar") || place.endsWith(".jar!/");
    }

    /** Null if it is not known. */
    private static @Nullable String place(String className) {
        CodeSource source;
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            if (loader == null) loader = ClassLoader.getSystemClassLoader();
            source = Class.forName(className, false, loader)
                    .getProtectionDomain()
                    .getCodeSource();
        } catch (ClassNotFoundException | LinkageError hidden) {
            return null;
        }
        URL location = source == null ? null : source.getLocation();
        return location == null ? null : location.toString();
    }

    /** The jar that the program was started from; empty if it was started otherwise. */
    private static final class Started {
        static final String PLACE = find();

        private static String find() {
            String main = System.getProperty("sun.java.command", "").split(" ", 2)[0];
            if (main.endsWith(".jar")) return "file:" + Path.of(main).toUri().getRawPath();
            String place = place(main.substring(main.indexOf('/') + 1)); // a module stands before its class
            return place == null ? "" : place;
        }
    }
}
