package org.trueasync.internal.group;

/**
 * A future that takes outcomes out of a set. One that the user has asked for is in a list from the beginning; that of
 * an iterator from its wait on. Once a wait for it was abandoned, it takes nothing until it is awaited again; so a
 * time-out loses no outcome.
 */
final class Join extends GroupFuture {
    private final Joins joins;

    Join(GroupCore group, Joins joins, Kind kind) {
        super(
                group,
                kind,
                isAboutAny(kind) ? Long.MAX_VALUE : group.spawnedTasks().nextPosition());
        this.joins = joins;
    }

    private static boolean isAboutAny(Kind kind) {
        return kind == Kind.FIRST || kind == Kind.ENTRY;
    }

    @Override
    protected void arm() {
        super.arm();
        if (list == null) joins.answerOrAdd(this);
    }

    @Override
    void abandoned() {
        leaveList();
    }
}
