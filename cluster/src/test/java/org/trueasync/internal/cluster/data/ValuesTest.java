package org.trueasync.internal.cluster.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.cluster.ClusterException;
import org.trueasync.internal.cluster.AllowedClasses;
import org.trueasync.internal.cluster.ObjectCodec;

class ValuesTest {
    private final Values values = new Values(new ObjectCodec(
            new AllowedClasses(List.of(ValuesTest.class.getName())), ValuesTest.class.getClassLoader()));

    /** A list of the old kind, which is written one call deep in the other. */
    private record Link(Link next) implements Serializable {}

    @Test
    void tooDeepToBeWritten_isSaidToTheSender() {
        Link deep = null;
        for (int i = 0; i < 1_000_000; i++) deep = new Link(deep);
        Link last = deep;
        assertThatThrownBy(() -> values.encode(last, "a channel"))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("StackOverflowError");
    }

    private static final class Sound implements Serializable {
        private static final long serialVersionUID = 1;
    }

    private static final class Loose implements Serializable {
        private static final long serialVersionUID = 1;

        /** Not constant, so it is computed when the class is initialised. */
        static final int NUMBER = Integer.parseInt("no number");
    }

    @Test
    void classCanNotBeInitialisedHere_isSaidAndTheValueIsDropped() {
        String written = new String(values.encode(new Sound(), "a channel"), StandardCharsets.ISO_8859_1);
        assertThat(written).contains("Sound");
        byte[] bytes = written.replace("Sound", "Loose").getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> values.decode(bytes, "a channel"))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("is dropped")
                .hasCauseInstanceOf(LinkageError.class);
    }
}
