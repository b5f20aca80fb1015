package org.trueasync.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntrusiveListTest {
    private static final class Member extends IntrusiveList.Node {}

    private final IntrusiveList<Member> list = new IntrusiveList<>();

    @Test
    void anyOrderOfCalls_listIsTheSameAsADeque() {
        var random = new Random(3);
        var model = new ArrayDeque<Member>();
        var outside = new ArrayList<Member>();
        for (int i = 0; i < 12; i++) outside.add(new Member());
        for (int step = 0; step < 20_000; step++) {
            int choice = random.nextInt(4);
            if (choice < 2 && !outside.isEmpty()) {
                Member added = outside.removeLast();
                if (choice == 0) {
                    list.add(added);
                    model.addLast(added);
                } else {
                    list.addFirst(added);
                    model.addFirst(added);
                }
            } else if (choice == 2) {
                Member polled = list.poll();
                assertThat(polled).isSameAs(model.poll());
                if (polled != null) outside.add(polled);
            } else if (!model.isEmpty()) {
                Member leaver = List.copyOf(model).get(random.nextInt(model.size()));
                model.remove(leaver);
                outside.add(leaver);
                assertThat(list.remove(leaver)).isTrue();
                assertThat(list.remove(leaver)).isFalse();
            }
            assertThat(list.toList()).containsExactlyElementsOf(model);
            assertThat(list.size()).isEqualTo(model.size());
            assertThat(list.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(list.first()).isSameAs(model.peekFirst());
        }
    }

    @Test
    void memberOfAnotherList_isNotTakenOut() {
        var other = new IntrusiveList<Member>();
        var member = new Member();
        other.add(member);
        assertThat(list.remove(member)).isFalse();
        assertThat(member.isIn(other)).isTrue();
        assertThat(member.isIn(list)).isFalse();
        assertThat(other.toList()).containsExactly(member);
    }
}
