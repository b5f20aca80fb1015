package org.trueasync.internal.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StreamCorruptedException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.cluster.ClusterException;
import org.trueasync.cluster.ClusterMember;
import org.trueasync.cluster.MemberLostException;
import org.trueasync.cluster.TaskFailedException;
import org.trueasync.cluster.TaskRefusedException;

/**
 * The answer to a task, as bytes: one for the kind, then an object; for an error its description and the object. Each
 * way in which a task can end has a kind, and an error that can't be serialised is described in words. So there is
 * always an answer, unless the member is lost.
 */
final class Answer {
    private static final int VALUE = 0;
    /** The error, as {@link #DESCRIBED} and as an object: the object may be of a class that can't be read there. */
    private static final int THROWN = 6;
    /** Class name, text and stack of an error that can't be serialised. */
    private static final int DESCRIBED = 2;
    /** Not begun: the reason. */
    private static final int REFUSED = 3;
    /** Begun, and cancelled by the member that has it, which leaves: the reason. */
    private static final int LEAVING = 4;
    /** Not begun, as the member leaves. */
    private static final int LEFT = 5;

    private Answer() {}

    // ---- on the member that has the task

    static byte[] value(@Nullable Object value) {
        try {
            return ObjectCodec.write(VALUE, value);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return thrown(new ClusterException(
                    "the result, a " + Objects.requireNonNull(value).getClass().getName() + ", can't be serialised: "
                            + e,
                    e));
        }
    }

    static byte[] thrown(Throwable thrown) {
        byte[] description = described(thrown);
        byte[] object;
        try {
            object = ObjectCodec.write(THROWN, thrown);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return description;
        }
        return ByteBuffer.allocate(1 + Integer.BYTES + description.length + object.length)
                .put((byte) THROWN)
                .putInt(description.length)
                .put(description)
                .put(object)
                .array();
    }

    private static byte[] described(Throwable thrown) {
        String name = thrown.getClass().getName();
        try {
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            return texts(DESCRIBED, new String[] {name, String.valueOf(thrown.getMessage()), trace.toString()});
        } catch (RuntimeException e) {
            return texts(DESCRIBED, new String[] {name, "(its own methods throw)", ""});
        }
    }

    static byte[] refused(String reason) {
        return texts(REFUSED, new String[] {reason});
    }

    static byte[] leaving(String reason) {
        return texts(LEAVING, new String[] {reason});
    }

    static byte[] leftAlready() {
        return texts(LEFT, new String[0]);
    }

    private static byte[] texts(int kind, String[] texts) {
        try {
            return ObjectCodec.write(kind, texts);
        } catch (IOException e) {
            throw new IllegalStateException("Bug in TrueAsync: texts can't be serialised", e);
        }
    }

    // ---- on the member that has sent the task

    /**
     * Returns the task's value, or throws an error that says how it has ended.
     *
     * @param bytes of the answer
     * @param codec reads them
     * @param from the member that has sent them
     */
    static @Nullable Object read(byte[] bytes, ObjectCodec codec, ClusterMember from)
            throws ClusterException, TaskFailedException {
        Object object;
        try {
            if (bytes[0] == THROWN) throw readError(bytes, codec, from);
            object = codec.read(bytes);
        } catch (TaskFailedException e) {
            throw e;
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
            throw new ClusterException(
                    "the result of the task on " + from + " can't be read here: " + Refusals.reason(e)
                            + ". The task has ended there",
                    e);
        }
        return switch (bytes[0]) {
            case VALUE -> object;
            case DESCRIBED -> throw described((String[]) Objects.requireNonNull(object), "", from);
            case REFUSED ->
                throw new TaskRefusedException(
                        from + " has refused the task: " + ((String[]) Objects.requireNonNull(object))[0], null);
            case LEAVING ->
                throw new MemberLostException(
                        from,
                        from + " has cancelled the task, as it leaves: "
                                + ((String[]) Objects.requireNonNull(object))[0],
                        null);
            case LEFT -> throw new NotBegunException(from + " leaves the cluster, and has not begun the task", null);
            default ->
                throw new ClusterException("the answer of " + from + " is of an unknown kind, " + bytes[0]
                        + "; do both run the same version of TrueAsync?");
        };
    }

    private static TaskFailedException readError(byte[] bytes, ObjectCodec codec, ClusterMember from)
            throws IOException, ClassNotFoundException {
        var parts = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        int length = parts.getInt();
        if (length < 0 || length > parts.remaining()) throw new StreamCorruptedException("an error of " + length);
        var description = new byte[length];
        parts.get(description);
        var object = new byte[parts.remaining()];
        parts.get(object);
        try {
            return new TaskFailedException("a task on " + from, (Throwable) Objects.requireNonNull(codec.read(object)));
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
            String[] texts = (String[]) Objects.requireNonNull(codec.read(description));
            return described(texts, "\n  itself it can't be read here: " + Refusals.reason(e), from);
        }
    }

    private static TaskFailedException described(String[] texts, String note, ClusterMember from) {
        var standIn = new ClusterException(texts[0] + ": " + texts[1] + note + "\n  there: "
                + texts[2].strip().replace("\n", "\n  "));
        standIn.setStackTrace(new StackTraceElement[0]);
        return new TaskFailedException("a task on " + from, texts[0], standIn);
    }
}
