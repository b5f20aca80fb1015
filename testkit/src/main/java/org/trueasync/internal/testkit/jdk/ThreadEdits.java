package org.trueasync.internal.testkit.jdk;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;
import static org.trueasync.internal.testkit.jdk.CodeEdits.type;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.util.List;
import org.trueasync.internal.testkit.jdk.CodeEdits.Edit;
import org.trueasync.internal.testkit.jdk.CodeEdits.Replacement;

/** The changes of the JDK's classes of threads. */
final class ThreadEdits {
    private static final ClassDesc HOOK = ClassDesc.of(Agent.HOOK);
    private static final ClassDesc THREADS = ClassDesc.of(Agent.THREADS);
    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc STATE = ClassDesc.of("java.lang.Thread$State");
    private static final ClassDesc INTERRUPTIBLE = ClassDesc.of("sun.nio.ch.Interruptible");
    private static final ClassDesc LOADER = ClassDesc.of("java.lang.ClassLoader");
    private static final ClassDesc UNSAFE = ClassDesc.of("jdk.internal.misc.Unsafe");
    private static final ClassDesc FRAMES =
            ClassDesc.of("java.lang.StackTraceElement").arrayType();

    static final List<Edit> EDITS = List.of(
            ofThread("start", "start0(", ThreadEdits::start),
            ofThread("alive", "eetopJ", ThreadEdits::alive),
            ofThread("threadState", "jdk/internal/misc/VM", "toThreadState(", (code, call) -> code.with(call)
                    .aload(0)
                    .invokestatic(THREADS, "state", type(STATE, STATE, THREAD))),
            ofThread("isInterrupted", "interruptedZ", asked("isInterrupted")),
            ofThread("<init>", "isDaemon(", asked("isDaemon")),
            ofThread(
                    "getStackTrace",
                    "asyncGetStackTrace(",
                    (code, call) -> code.invokestatic(THREADS, "stackTrace", type(FRAMES, THREAD))),
            ofThread("setContextClassLoader", "contextClassLoaderL", (code, write) -> code.dup2()
                    .invokestatic(THREADS, "contextClassLoader", type(CD_void, THREAD, LOADER))
                    .with(write)),
            unparks("java/util/concurrent/locks/LockSupport"),
            new Edit(
                    "java/util/concurrent/locks/LockSupport",
                    "unpark",
                    "jdk/internal/access/JavaLangAccess",
                    "unparkVirtualThread(",
                    (code, call) -> code.dup()
                            .invokestatic(THREADS, "unparks", type(CD_void, THREAD))
                            .with(call)),
            unparks("java/util/concurrent/ForkJoinPool"),
            ofVirtual("afterYield", "java/lang/VirtualThread", "$assertionsDisabledZ", tells("leaves")),
            ofVirtual("compareAndSetOnWaitingList", "jdk/internal/misc/Unsafe", "compareAndSetB", tells("goesOn")),
            ofVirtual("unblock", "java/lang/VirtualThread", "$assertionsDisabledZ", returnsIf(HOOK, "isKept")),
            ofVirtual("runContinuation", "java/lang/Thread", "currentThread(", returnsIf(THREADS, "isOver")));

    private ThreadEdits() {}

    private static Edit ofThread(String method, String member, Replacement code) {
        return ofThread(method, "java/lang/Thread", member, code);
    }

    private static Edit ofThread(String method, String owner, String member, Replacement code) {
        return new Edit("java/lang/Thread", method, owner, member, code);
    }

    private static Edit ofVirtual(String method, String owner, String member, Replacement code) {
        return new Edit("java/lang/VirtualThread", method, owner, member, code);
    }

    private static Edit unparks(String types) {
        return new Edit(
                types,
                "",
                "jdk/internal/misc/Unsafe",
                "unpark(",
                (code, call) -> code.invokestatic(THREADS, "unpark", type(CD_void, UNSAFE, CD_Object)));
    }

    /** A method of a thread that answers yes or no. */
    private static Replacement asked(String hook) {
        return (code, old) -> code.invokestatic(THREADS, hook, type(CD_boolean, THREAD));
    }

    /** Tells first of this thread. */
    private static Replacement tells(String hook) {
        return (code, old) ->
                code.aload(0).invokestatic(HOOK, hook, type(CD_void, THREAD)).with(old);
    }

    /** Does nothing of a method, which returns nothing, if that is true for this thread. */
    private static Replacement returnsIf(ClassDesc owner, String hook) {
        return (code, old) -> {
            Label goesOn = code.newLabel();
            code.aload(0).invokestatic(owner, hook, type(CD_boolean, THREAD)).ifeq(goesOn);
            code.return_().labelBinding(goesOn).with(old);
        };
    }

    /** Before it is the thread. */
    private static void start(CodeBuilder code, Instruction call) {
        Label outside = code.newLabel();
        Label end = code.newLabel();
        code.dup().invokestatic(THREADS, "start", type(INTERRUPTIBLE, THREAD));
        code.dup().ifnull(outside);
        code.putfield(THREAD, "nioBlocker", INTERRUPTIBLE).goto_(end);
        code.labelBinding(outside).pop().dup().with(call);
        code.invokestatic(HOOK, "started", type(CD_void, THREAD)).labelBinding(end);
    }

    private static void alive(CodeBuilder code, Instruction read) {
        Label real = code.newLabel();
        Label end = code.newLabel();
        code.dup().invokestatic(THREADS, "isAlive", type(CD_boolean, THREAD)).ifeq(real);
        code.pop().lconst_1().goto_(end);
        code.labelBinding(real).with(read).labelBinding(end);
    }
}
