package org.trueasync.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program of the guide: a fenced {@code java} block with a {@code main}, and what it prints, in the {@code text} and
 * {@code stderr} blocks that follow it.
 *
 * @param name page and number, fit for the name of a folder
 * @param source a compact source file
 * @param output what it prints to standard output; null if the page does not say
 * @param errors lines that stand on standard error, if it fails; null if it ends well
 */
record GuideProgram(String name, String source, String output, String errors) {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\R(.*?)^```$");

    static List<GuideProgram> all(Path guide) throws IOException {
        List<GuideProgram> programs = new ArrayList<>();
        try (Stream<Path> pages = Files.list(guide)) {
            for (Path page : pages.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                programs.addAll(of(page));
            }
        }
        return programs;
    }

    static List<GuideProgram> of(Path page) throws IOException {
        List<GuideProgram> programs = new ArrayList<>();
        String name = page.getFileName().toString().replace(".md", "");
        Matcher block = BLOCK.matcher(Files.readString(page));
        boolean belongs = false;
        while (block.find()) {
            String language = block.group(1);
            String text = block.group(2);
            if (language.equals("java") && text.contains("void main(")) {
                programs.add(new GuideProgram(name + "-" + (programs.size() + 1), text, null, null));
                belongs = true;
            } else if (belongs && language.equals("text")) {
                GuideProgram last = programs.removeLast();
                programs.add(new GuideProgram(last.name, last.source, text, last.errors));
            } else if (belongs && language.equals("stderr")) {
                GuideProgram last = programs.removeLast();
                programs.add(new GuideProgram(last.name, last.source, last.output, text));
            } else {
                belongs = false;
            }
        }
        return programs;
    }
}
