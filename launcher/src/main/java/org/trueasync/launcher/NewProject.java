package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/** Makes a project, or a program of one file, from the templates in {@code new}, below this class. */
final class NewProject {
    private static final String USAGE = "trueasync new service|library|script NAME";
    private static final List<String> KINDS = List.of("service", "library", "script");
    private static final String MAIN = "src/main/java/@package@/";
    private static final String TEST = "src/test/java/@package@/";
    /** By template: where it goes. */
    private static final Map<String, String> PROJECT = Map.of(
            "trueasync.args", "trueasync.args",
            "gitignore", ".gitignore");

    private static final Map<String, String> SERVICE = Map.of(
            "service/pom.xml", "pom.xml",
            "service/README.md", "README.md",
            "service/Dockerfile", "Dockerfile",
            "service/Main.java", MAIN + "Main.java",
            "service/Service.java", MAIN + "Service.java",
            "service/Suppliers.java", MAIN + "Suppliers.java",
            "service/ServiceTest.java", TEST + "ServiceTest.java");
    private static final Map<String, String> LIBRARY = Map.of(
            "library/pom.xml",
            "pom.xml",
            "library/README.md",
            "README.md",
            "library/Retry.java",
            MAIN + "Retry.java",
            "library/RetryTest.java",
            TEST + "RetryTest.java");

    private static final Pattern FOLDER = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final Pattern PROGRAM = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

    private NewProject() {}

    /** Parses the words after {@code new}. */
    static Command parse(Queue<String> words) throws UsageException {
        for (String word : words) {
            if (word.equals("--help") || word.equals("-h")) return new Command.Help();
            if (word.startsWith("-")) throw new UsageException("unknown option " + word + CommandLine.SEE_HELP);
        }
        String kind = words.poll();
        String name = words.poll();
        if (kind != null && !KINDS.contains(kind))
            throw new UsageException("a new " + kind + " can't be made" + CommandLine.suggestion(kind, KINDS));
        if (name == null) throw new UsageException((kind == null ? "a new what? " : "which name? ") + USAGE);
        if (!words.isEmpty())
            throw new UsageException("one name at a time, got '" + words.peek() + "' too" + CommandLine.SEE_HELP);
        return new Command.New(kind == null ? "" : kind, name);
    }

    /**
     * Makes it. A file or folder of that name is left alone.
     *
     * @param directory where
     * @return what to do next, for the user
     * @throws UsageException if the name is bad or taken, or the place can't be written to
     */
    static String make(Command.New command, Path directory) throws UsageException {
        try {
            return command.kind().equals("script")
                    ? script(command.name(), directory)
                    : project(command.kind(), command.name(), directory);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(e.getFile() + " is there already; choose another name");
        } catch (IOException e) {
            throw new UsageException("can't write " + command.name() + ": " + e);
        }
    }

    private static String script(String name, Path directory) throws UsageException, IOException {
        String program = name.endsWith(".java") ? name.substring(0, name.length() - ".java".length()) : name;
        if (!PROGRAM.matcher(program).matches() || !SourceVersion.isName(program))
            throw new UsageException("a script's name is that of a class, such as Weather, got '" + name + "'");
        Path file = directory.resolve(program + ".java");
        write(file, "script/Script.java", Map.of("@name@", program));
        return "Made " + directory.relativize(file) + ". Next:\n  trueasync run " + program + ".java\n";
    }

    private static String project(String kind, String name, Path directory) throws UsageException, IOException {
        if (!FOLDER.matcher(name).matches())
            throw new UsageException(
                    "a project's name has small letters, digits and '-', such as order-service, got '" + name + "'");
        String packageName = name.replace("-", "");
        if (!SourceVersion.isName(packageName))
            throw new UsageException("'" + name + "' is a word of Java, and would be the name of the package");
        Path root = directory.resolve(name);
        if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) throw new FileAlreadyExistsException(name);
        var values = Map.of(
                "@name@", name,
                "@package@", packageName,
                "@version@", VersionLine.build("version"),
                "@junit@", VersionLine.build("junit"),
                "@jackson@", VersionLine.build("jackson"),
                "@slf4j@", VersionLine.build("slf4j"));
        boolean isService = kind.equals("service");
        for (var files : List.of(PROJECT, isService ? SERVICE : LIBRARY))
            for (var file : files.entrySet())
                write(root.resolve(filled(file.getValue(), values)), file.getKey(), values);
        return "Made " + name + ". Next, there:\n"
                + (isService ? "  mvn package\n  java -jar target/" + name + ".jar\n" : "  mvn verify\n")
                + (VersionLine.build("version").endsWith("-SNAPSHOT")
                        ? "This version of TrueAsync is not on Maven Central: run mvn -Dquick install once in its sources.\n"
                        : "");
    }

    private static void write(Path file, String template, Map<String, String> values) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS))
            throw new FileAlreadyExistsException(file.getFileName().toString());
        Path folder = file.getParent();
        if (folder != null) Files.createDirectories(folder);
        Files.writeString(file, filled(Resources.text("new/" + template), values));
    }

    private static String filled(String text, Map<String, String> values) {
        return Pattern.compile("@[a-z0-9]+@")
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(), found.group())));
    }
}
