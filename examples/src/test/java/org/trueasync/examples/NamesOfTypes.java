package org.trueasync.examples;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which types and members prose names, and which of these exist: in our sources or in the JDK. */
final class NamesOfTypes {
    /** A type, perhaps with its package, and perhaps a member of it. Words that are all capitals are none. */
    private static final Pattern NAME =
            Pattern.compile("@?(?:[a-z]\\w*\\.)*([A-Z]\\w*[a-z]\\w*(?:[.$][A-Z]\\w*[a-z]\\w*)*)(?:[.#]([a-z]\\w*))?"
                    + "(?:\\(.*\\)|<.*>)?|@?[A-Z]\\w*[a-z]\\w*(?:[.$]\\w+)*::(?:new|\\w+)");

    private static final Pattern SUPERTYPES = Pattern.compile("\\b(?:extends|implements) ([\\w., <>?\\n]+?)\\s*\\{");

    private static final List<String> MODULES =
            List.of("java.base", "java.logging", "java.management", "java.net.http", "java.sql", "jdk.jfr");

    private static final List<String> KINDS = List.of("class ", "interface ", "enum ", "record ");

    private final List<String> sources = new ArrayList<>();

    /** By the simple name, the texts of the files of that name; of a type within another one, those that declare it. */
    private final Map<String, List<String>> ours = new HashMap<>();

    private final Set<String> ofTheJdk = new HashSet<>();

    /** Reads all sources, and the names of the JDK's classes. */
    NamesOfTypes() throws IOException {
        for (Path file : LineLengthTest.files("java")) {
            String source = Files.readString(file);
            sources.add(source);
            String type = file.getFileName().toString().replace(".java", "");
            ours.computeIfAbsent(type, _ -> new ArrayList<>(1)).add(source);
        }
        for (String module : MODULES) {
            try (ModuleReader classes =
                    ModuleFinder.ofSystem().find(module).orElseThrow().open()) {
                classes.list()
                        .filter(file -> file.endsWith(".class"))
                        .map(file -> file.substring(file.lastIndexOf('/') + 1, file.length() - ".class".length()))
                        .forEach(name -> ofTheJdk.addAll(Arrays.asList(name.split("\\$"))));
            }
        }
    }

    /** The texts of the files that declare a type; looked for in all of them if none has its name. */
    private List<String> declaring(String type) {
        return ours.computeIfAbsent(
                type,
                _ -> sources.stream().filter(source -> declares(source, type)).toList());
    }

    private static boolean declares(String source, String type) {
        for (int at = source.indexOf(type); at > 0; at = source.indexOf(type, at + 1)) {
            int end = at + type.length();
            if (end == source.length() || Character.isJavaIdentifierPart(source.charAt(end))) continue;
            for (String kind : KINDS) if (source.startsWith(kind, at - kind.length())) return true;
        }
        return false;
    }

    /** What the code spans of a text name and neither our sources nor the JDK have. */
    Set<String> unknown(String markdown) {
        Set<String> unknown = new HashSet<>();
        String prose = markdown.replaceAll("(?sm)^```.*?^```", "");
        Matcher spans = Pattern.compile("`([^`\n]+)`").matcher(prose);
        while (spans.find()) {
            Matcher name = NAME.matcher(spans.group(1));
            if (name.matches() && name.group(1) != null && !exists(name.group(1), name.group(2)))
                unknown.add(spans.group(1));
        }
        return unknown;
    }

    private boolean exists(String types, String member) {
        String[] names = types.split("[.$]");
        for (String name : names)
            if (!ofTheJdk.contains(name) && declaring(name).isEmpty()) return false;
        String last = names[names.length - 1];
        return member == null || ofTheJdk.contains(last) || has(last, member, new HashSet<>());
    }

    /** True if the files of a type, or of one that it extends, have this word. */
    private boolean has(String type, String member, Set<String> seen) {
        if (!seen.add(type)) return false;
        Pattern word = Pattern.compile("\\b" + member + "\\b");
        for (String source : declaring(type)) {
            if (word.matcher(source).find()) return true;
            Matcher supertypes = SUPERTYPES.matcher(source);
            while (supertypes.find())
                for (String supertype : supertypes.group(1).split("\\W+"))
                    if (has(supertype, member, seen)) return true;
        }
        return false;
    }
}
