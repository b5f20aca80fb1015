package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a stack says of who is at work, and what to do about it. */
@Tag("E42")
class BlockedLoopTest {
    private static StackTraceElement at(String place) {
        int dot = place.lastIndexOf('.');
        return new StackTraceElement(place.substring(0, dot), place.substring(dot + 1), "File.java", 7);
    }

    private static StackTraceElement nativeAt(String place) {
        int dot = place.lastIndexOf('.');
        return new StackTraceElement(place.substring(0, dot), place.substring(dot + 1), "File.java", -2);
    }

    @Test
    void regularExpression_isToldToComputeElsewhere_aLoopThatLooksIsNot() {
        assertThat(held(
                                Thread.State.RUNNABLE,
                                at("java.util.regex.Pattern$CharProperty.match"),
                                at("java.util.regex.Pattern$GroupTail.match"),
                                at("java.util.regex.Pattern$Loop.match"),
                                at("java.util.regex.Matcher.matches"),
                                at("app.Main.main"))
                        .spinText())
                .contains("around what computes")
                .doesNotContain("onSpinWait");
        for (String looks : List.of("java.lang.Thread.onSpinWait", "java.util.ArrayDeque.poll", "app.Main.isDone"))
            assertThat(held(Thread.State.RUNNABLE, at(looks), at("app.Main.main"))
                            .spinText())
                    .contains("onSpinWait");
    }

    private static BlockedLoop held(Thread.State state, StackTraceElement... stack) {
        return BlockedLoop.of("test", null, stack, state, Duration.ofMillis(120));
    }

    @Test
    void deepInsideTheJdk_itIsTheJdksWork() {
        assertThat(held(
                                Thread.State.RUNNABLE,
                                at("java.lang.String.indexOf"),
                                at("java.util.A.a"),
                                at("java.util.A.b"),
                                at("java.util.A.c"),
                                at("java.time.format.DateTimeFormatter.format"),
                                at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isTrue();
    }

    @Test
    void initialiserOfTheJdks_isTheJdksWork_theProgramsIsNot() {
        assertThat(held(Thread.State.RUNNABLE, at("java.util.A.<clinit>"), at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isTrue();
        assertThat(held(Thread.State.RUNNABLE, at("app.Table.<clinit>"), at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isFalse();
    }

    @Test
    void whatTheJdkDoesForUs_isNotTheProgramsWork() {
        assertThat(held(
                                Thread.State.RUNNABLE,
                                nativeAt("java.lang.StackStreamFactory.callStackWalk"),
                                at("org.trueasync.internal.error.CodeSites.caller"),
                                at("org.trueasync.Async.spawn"),
                                at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isTrue();
    }

    /** The coroutine in whose tick that is done has nothing to do with it. */
    @Test
    void loopTakesInWhatOthersHaveBrought_saysSoAndWhatHelps() {
        BlockedLoop held = held(
                Thread.State.RUNNABLE,
                nativeAt("java.lang.System.nanoTime"),
                at("org.trueasync.internal.jdbc.OutsideCalls.begin"),
                at("org.trueasync.internal.kernel.RemoteQueue.drain"),
                at("org.trueasync.internal.kernel.Loop.takeArrivals"),
                at("app.Main.main"));
        assertThat(held.holder()).isEqualTo("what other threads have brought");
        assertThat(held.text()).contains("other threads bring work faster than this loop can take it in");
        assertThat(held.spinText()).contains("other threads bring work faster").doesNotContain("onSpinWait");
    }

    @Test
    void shallowCallsOfTheJdk_areTheProgramsWork() {
        assertThat(held(Thread.State.RUNNABLE, nativeAt("java.lang.System.nanoTime"), at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isFalse();
        assertThat(held(
                                Thread.State.RUNNABLE,
                                at("java.util.HashMap.hash"),
                                at("java.util.HashMap.get"),
                                at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isFalse();
    }

    @Test
    void waitThatIsNoWork_isTheProgramsOwn_howeverDeep() {
        assertThat(held(
                                Thread.State.WAITING,
                                nativeAt("jdk.internal.misc.Unsafe.park"),
                                at("java.lang.VirtualThread.parkOnCarrierThread"),
                                at("java.lang.VirtualThread.park"),
                                at("java.util.concurrent.locks.LockSupport.park"),
                                at("java.util.concurrent.locks.A.acquire"),
                                at("java.util.concurrent.locks.ReentrantLock.lock"),
                                at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isFalse();
    }

    @Test
    void nativeCallThatNeverWaits_isComputing() {
        for (String call : new String[] {"jdk.internal.misc.VM.getNanoTimeAdjustment", "java.lang.Object.hashCode"}) {
            BlockedLoop held = held(Thread.State.RUNNABLE, nativeAt(call), at("app.Main.main"));
            assertThat(held.waits()).as(call).isFalse();
            assertThat(held.text()).contains("Async.suspend()").doesNotContain("native code");
        }
        for (String call : new String[] {
            "java.lang.Object.wait0", "app.Native.read", "sun.nio.ch.Net.poll", "java.lang.Class.forName1"
        }) {
            BlockedLoop held = held(Thread.State.RUNNABLE, nativeAt(call), at("app.Main.main"));
            assertThat(held.waits()).as(call).isTrue();
            assertThat(held.text()).doesNotContain("Async.suspend()");
        }
    }

    @Test
    void monitorInAnInitialiser_getsTheAdviceForInitialisers() {
        assertThat(held(Thread.State.BLOCKED, at("app.Table.<clinit>"), at("app.Main.main"))
                        .text())
                .contains("a class initialiser can't be left")
                .doesNotContain("Async.suspend()");
    }

    @Test
    void loadingAndInitialising_areFirstUses_unlessTheyWait() {
        BlockedLoop loads = held(
                Thread.State.RUNNABLE,
                at("java.util.A.a"),
                at("jdk.internal.loader.BuiltinClassLoader.loadClass"),
                at("app.Main.main"));
        assertThat(loads.isFirstUse()).isTrue();
        assertThat(loads.shortText())
                .isEqualTo(
                        "Loop 'test' is held by a callback, or a virtual thread that is no coroutine, for 120 ms so far:"
                                + " app.Main.main(File.java:7)\n  Way out: classes are being loaded or initialised: use them once"
                                + " before, or on another thread (trueasync explain held-loop)");
        assertThat(held(Thread.State.RUNNABLE, at("app.Hash.fill"), at("app.Table.<clinit>"), at("app.Main.main"))
                        .isFirstUse())
                .isTrue();
        assertThat(held(Thread.State.WAITING, at("app.Table.<clinit>"), at("app.Main.main"))
                        .isFirstUse())
                .isFalse();
        assertThat(held(Thread.State.RUNNABLE, at("app.Hash.fill"), at("app.Main.main"))
                        .isFirstUse())
                .isFalse();
    }

    @Test
    void driverOfADatabase_getsTheAdviceForDrivers() {
        assertThat(held(Thread.State.RUNNABLE, nativeAt("org.sqlite.core.NativeDB.step"), at("app.Main.main"))
                        .text())
                .contains("onHelperThreads(true)");
        assertThat(held(
                                Thread.State.RUNNABLE,
                                at("java.util.HashMap.get"),
                                at("org.h2.command.Select.query"),
                                at("org.h2.jdbc.JdbcStatement.executeQuery"),
                                at("app.Main.main"))
                        .text())
                .as("the frames between driver and program are hidden")
                .contains("onHelperThreads(true)")
                .doesNotContain("Async.suspend()");
    }

    @Test
    void classFileOnASlowDisk_isTheJdksWork_theLockOfALoaderIsNot() {
        assertThat(held(
                                Thread.State.RUNNABLE,
                                nativeAt("java.io.RandomAccessFile.readBytes"),
                                at("java.util.zip.ZipFile.read"),
                                at("jdk.internal.loader.URLClassPath.get"),
                                at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isTrue();
        assertThat(held(Thread.State.BLOCKED, at("java.lang.ClassLoader.loadClass"), at("app.Main.main"))
                        .isWorkOfTheJdk())
                .isFalse();
    }
}
