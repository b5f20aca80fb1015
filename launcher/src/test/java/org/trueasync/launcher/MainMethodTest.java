package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MainMethodTest {
    static final List<String> CALLS = new ArrayList<>();

    @BeforeEach
    void forget() {
        CALLS.clear();
    }

    @Test
    void everyFlavour_isFoundAndRun() throws Throwable {
        assertThat(calls(PublicStatic.class)).containsExactly("public static a b");
        assertThat(calls(PackageInstance.class)).containsExactly("package instance");
        assertThat(calls(ProtectedInstance.class)).containsExactly("protected instance a b");
        assertThat(calls(PackageStatic.class)).containsExactly("package static");
        assertThat(calls(Inheriting.class)).containsExactly("package instance");
        assertThat(calls(FromInterface.class)).containsExactly("default method");
    }

    @Test
    void withArguments_isTakenBeforeWithout() throws Throwable {
        assertThat(calls(Both.class)).containsExactly("with a b");
        assertThat(calls(InheritedWithArguments.class)).containsExactly("with a b");
    }

    @Test
    void privateOne_isSeenByNobody() throws Throwable {
        assertThat(calls(PrivateHidesNothing.class)).containsExactly("without");
        assertThatThrownBy(() -> MainMethod.of(OnlyPrivate.class))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("has no main");
    }

    @Test
    void whatCanNotBeStarted_saysWhy() {
        assertThatThrownBy(() -> MainMethod.of(NotVoid.class)).hasMessageContaining("must return void, not int");
        assertThatThrownBy(() -> MainMethod.of(NeedsArgument.class)).hasMessageContaining("constructor without");
        assertThatThrownBy(() -> MainMethod.of(PrivateConstructor.class)).hasMessageContaining("constructor without");
        assertThatThrownBy(() -> MainMethod.of(AbstractOne.class)).hasMessageContaining("must not be abstract");
    }

    @Test
    void whatTheProgramThrows_comesOutAsItIs() throws Exception {
        MainMethod main = MainMethod.of(Throwing.class);
        assertThatThrownBy(() -> main.run(new String[0])).isSameAs(Throwing.ERROR);
        MainMethod constructor = MainMethod.of(ThrowingConstructor.class);
        assertThatThrownBy(() -> constructor.run(new String[0])).isSameAs(Throwing.ERROR);
        MainMethod reflective = MainMethod.of(LikeMainOfAJar.class);
        assertThatThrownBy(() -> reflective.run(new String[0])).isSameAs(Throwing.ERROR);
    }

    private static List<String> calls(Class<?> type) throws Throwable {
        CALLS.clear();
        MainMethod.of(type).run(new String[] {"a", "b"});
        return List.copyOf(CALLS);
    }

    static class PublicStatic {
        public static void main(String[] args) {
            CALLS.add("public static " + String.join(" ", args));
        }
    }

    static class PackageInstance {
        void main() {
            CALLS.add("package instance");
        }
    }

    static class ProtectedInstance {
        protected void main(String... args) {
            CALLS.add("protected instance " + String.join(" ", args));
        }
    }

    static class PackageStatic {
        static void main() {
            CALLS.add("package static");
        }
    }

    static class Inheriting extends PackageInstance {}

    interface HasMain {
        default void main() {
            CALLS.add("default method");
        }
    }

    static class FromInterface implements HasMain {}

    static class Both {
        public static void main() {
            CALLS.add("without");
        }

        void main(String[] args) {
            CALLS.add("with " + String.join(" ", args));
        }
    }

    static class InheritedWithArguments extends Both {
        public static void main() {
            CALLS.add("nearer, without");
        }
    }

    static class PrivateHidesNothing {
        @SuppressWarnings("unused")
        private static void main(String[] args) {
            CALLS.add("private");
        }

        static void main() {
            CALLS.add("without");
        }
    }

    static class OnlyPrivate {
        @SuppressWarnings("unused")
        private static void main(String[] args) {}
    }

    static class NotVoid {
        static int main() {
            return 0;
        }
    }

    static class NeedsArgument {
        NeedsArgument(int unused) {
            CALLS.add(String.valueOf(unused));
        }

        void main() {}
    }

    static class PrivateConstructor {
        private PrivateConstructor() {}

        void main() {}
    }

    abstract static class AbstractOne {
        void main() {}
    }

    static class Throwing {
        static final IOException ERROR = new IOException("as it is");

        static void main() throws IOException {
            throw ERROR;
        }
    }

    static class LikeMainOfAJar {
        static void main() throws ReflectiveOperationException {
            Throwing.class.getDeclaredMethod("main").invoke(null);
        }
    }

    static class ThrowingConstructor {
        ThrowingConstructor() throws IOException {
            throw Throwing.ERROR;
        }

        void main() {}
    }
}
