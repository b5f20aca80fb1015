package org.trueasync.internal.group;

/**
 * A future that takes outcomes out of a set. It is in line from the beginning; once a wait for it was given up it takes nothing before it is awaited again, so that a
 * timeout costs no outcome.
 */
final class Join extends GroupFuture {
    private final Joins joins;

    Join(GroupCore group, Joins joins, Kind kind) {
        super(group, kind, isAboutAny(kind) ? Long.MAX_VALUE : group.roll().nextPosition());
        this.joins = joins;
    }

    private static boolean isAboutAny(Kind kind) {
        return kind == Kind.FIRST || kind == Kind.ENTRY;
    }

    @Override
    protected void arm() {
        super.arm();
        if (list == null) joins.ask(this);
    }

    @Override
    void givenUp() {
        leaveList();
    }
}
