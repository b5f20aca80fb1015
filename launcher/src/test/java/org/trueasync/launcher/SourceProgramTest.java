package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceProgramTest {
    @TempDir
    Path sources;

    @TempDir
    Path classes;

    private final StringWriter messages = new StringWriter();

    @BeforeEach
    void forget() {
        messages.getBuffer().setLength(0);
    }

    @Test
    void compactSourceFile_givesTheClassItsName() throws Exception {
        Path file = write("p07_short.java", "void main() { IO.println(List.of(1)); }");
        assertThat(compile(file)).isEqualTo("p07_short");
        assertThat(classes.resolve("p07_short.class")).exists();
        assertThat(messages.toString()).isEmpty();
    }

    @Test
    void moduleImportAndOurOwnClasses_areThere() throws Exception {
        Path file = write(
                "Uses.java",
                "import module java.net.http; import org.trueasync.*;\n"
                        + "void main() { HttpClient.newHttpClient(); throw new AsyncException(\"x\"); }");
        assertThat(compile(file)).isEqualTo("Uses");
    }

    @Test
    void firstClassOfTheFile_isTheProgram() throws Exception {
        Path file = write("Anything.java", "class First { static void main() {} } class Second {}");
        assertThat(compile(file)).isEqualTo("First");
    }

    @Test
    void otherFilesOfTheTree_areCompiledWhenUsed() throws Exception {
        write(
                "a/util/Greeting.java",
                "package a.util; public class Greeting { public static String text() { return \"\"; } }");
        write("a/Broken.java", "package a; this is not looked at");
        Path file = write("a/Start.java", "package a; class Start { void main() { a.util.Greeting.text(); } }");
        assertThat(compile(file)).isEqualTo("a.Start");
        assertThat(classes.resolve("a/util/Greeting.class")).exists();
    }

    @Test
    void errors_areShownAsTheCompilerShowsThem() throws Exception {
        Path file = write("Wrong.java", "void main() {\n    int n = \"text\";\n}\n");
        assertThatThrownBy(() -> compile(file)).isInstanceOf(SourceProgram.CompilationFailed.class);
        assertThat(messages.toString().lines())
                .containsExactly(
                        file + ":2: error: incompatible types: String cannot be converted to int",
                        "    int n = \"text\";",
                        "            ^",
                        "1 error");
    }

    @Test
    void syntaxErrors_areShownOnce() throws Exception {
        Path file = write("Torn.java", "void main() {\n    call(;\n}\n");
        assertThatThrownBy(() -> compile(file)).isInstanceOf(SourceProgram.CompilationFailed.class);
        assertThat(messages.toString()).containsOnlyOnce("Torn.java:2: error:").endsWith("1 error\n");
    }

    @Test
    void bytesThatAreNoText_areAnError() throws Exception {
        Path file = sources.resolve("Latin.java");
        Files.write(file, "void main() {\n    IO.println(\"\u00e9\");\n}\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> compile(file)).isInstanceOf(SourceProgram.CompilationFailed.class);
        assertThat(messages.toString().lines())
                .containsExactly(
                        file + ":2: error: unmappable character (0xE9) for encoding UTF-8",
                        "    IO.println(\"\ufffd\");",
                        "                ^",
                        "1 error");
    }

    @Test
    void bytesThatAreNoTextInAnotherFile_areAnError() throws Exception {
        Path other = sources.resolve("Other.java");
        Files.write(other, "class Other { } // \u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        Path file = write("Start.java", "class Start { void main() { new Other(); } }");
        assertThatThrownBy(() -> compile(file)).isInstanceOf(SourceProgram.CompilationFailed.class);
        assertThat(messages.toString())
                .containsOnlyOnce("Other.java:1: error: unmappable")
                .endsWith("1 error\n");
    }

    @Test
    void fileWithoutClass_isRefused() throws Exception {
        Path file = write("Empty.java", "// nothing\n");
        assertThatThrownBy(() -> compile(file))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no class in");
    }

    private String compile(Path file) throws Exception {
        return SourceProgram.compile(file, List.of(), classes, new PrintWriter(messages), new SourceTree());
    }

    private Path write(String name, String text) throws Exception {
        Path file = sources.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
