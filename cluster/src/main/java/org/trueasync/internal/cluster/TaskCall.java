package org.trueasync.internal.cluster;

import com.hazelcast.cluster.Member;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.cluster.ClusterMember;
import org.trueasync.cluster.MemberLostException;

/**
 * One submitted task, on the member that sends it. Completed on the loop, once: by the task's own outcome, or by an
 * error that says what is known of it. Loop thread only.
 */
final class TaskCall<T> extends CompletableFuture<T> {
    /** Time for the engine to see that a member is gone, before the next one is chosen. */
    private static final long PAUSE_MILLIS = 20;
    /** How often, at most, a task is sent to a member that may not know this one yet. */
    private static final int MAX_TOO_EARLY = 250;

    private final TaskSender sender;
    private final TaskKey key;
    private final byte[] task;
    private final Map<String, String> context;
    private final Target target;
    private final boolean isMovable;
    private final boolean isRepeatable;
    /** The member that has the task now; null between two attempts and at the end. */
    private @Nullable Member sentTo;

    private boolean withdrawn;
    private int tooEarly;

    /**
     * A call.
     *
     * @param context what goes along, as text
     * @param isMovable true if another member may have it if the first has not begun it
     * @param isRepeatable true if another member may have it even if the first has begun it
     */
    TaskCall(
            TaskSender sender,
            TaskKey key,
            byte[] task,
            Map<String, String> context,
            Target target,
            boolean isMovable,
            boolean isRepeatable) {
        this.sender = sender;
        this.key = key;
        this.task = task;
        this.context = context;
        this.target = target;
        this.isMovable = isMovable;
        this.isRepeatable = isRepeatable;
    }

    void send() {
        Member member = target.next();
        sentTo = member;
        sender.send(new RunTask(key, task, context), member, (answer, thrown) -> arrived(member, answer, thrown));
    }

    /** Takes the answer, or the engine's error if there is none. In a coroutine. */
    private void arrived(Member member, byte @Nullable [] answer, @Nullable Throwable thrown) {
        sentTo = null;
        if (withdrawn) return;
        ClusterMember from = sender.shown(member);
        try {
            if (answer == null) throw sender.translate(from, thrown);
            @SuppressWarnings("unchecked") // what the task gave
            T value = (T) Answer.read(answer, sender.codec(), from);
            complete(value);
        } catch (NotBegunException e) {
            if (isMovable || (e.isTooEarly() && ++tooEarly < MAX_TOO_EARLY)) resend(e);
            else completeExceptionally(e);
        } catch (MemberLostException e) {
            if (isMovable && isRepeatable) resend(e);
            else completeExceptionally(e);
        } catch (Throwable e) {
            completeExceptionally(e);
        }
    }

    private void resend(RuntimeException because) {
        try {
            sender.requireOpen();
            Async.delay(PAUSE_MILLIS);
            if (!withdrawn) send();
        } catch (RuntimeException | AsyncCancellation e) {
            e.addSuppressed(because);
            completeExceptionally(e);
        }
    }

    /** Cancels the task on its member, as its result is not wanted any more. */
    void withdraw() {
        withdrawn = true;
        Member member = sentTo;
        if (member != null) sender.sendWithoutAnswer(new CancelTask(key), member);
    }
}
