package org.trueasync.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.trueasync.internal.error.Throwing;

/**
 * Lets a stack that is nearly full overflow before the scheduler's state is touched, rather than in the middle of a
 * change to it: a coroutine may come here at any depth, and no order of writes survives a StackOverflowError at every
 * call.
 *
 * <p>The check is the call of a generated method with {@value #BYTES} bytes of local variables and nothing in it that
 * runs. The interpreter gives it a frame of that size; compiled code writes to the stack as far down as the interpreted
 * frame would reach, since it may have to go back to it, and these few stores are the cost.
 */
public final class StackHeadroom {
    /**
     * More than the deepest of our own calls needs, even interpreted. Compiled code writes to each page down to there.
     * These writes share a set of the processor's first cache, which has eight places: with 32 KB they threw each other
     * out, and the check took 24 ns instead of 3.
     */
    private static final int BYTES = 20 * 1024;

    private static final int BYTES_PER_LOCAL = 8;

    private static final MethodHandle PROBE = generate();

    private StackHeadroom() {}

    /**
     * Makes sure that there is room on the calling thread's stack for whatever the scheduler does in one go.
     *
     * @throws StackOverflowError if there is not
     */
    public static void require() {
        try {
            PROBE.invokeExact();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /*
     *  static boolean never;
     *  static void probe() { <BYTES of locals> if (never) throw new Error(); }
     *
     * The branch is what compiled code may have to go back to the interpreter for; without it the compilers need no
     * such store.
     */
    private static MethodHandle generate() {
        ClassDesc self = ClassDesc.of(StackHeadroom.class.getPackageName() + ".StackProbe");
        ClassDesc error = ClassDesc.of("java.lang.Error");
        byte[] bytes = ClassFile.of()
                .build(self, type -> type.withField("never", ConstantDescs.CD_boolean, ClassFile.ACC_STATIC)
                        .withMethodBody("probe", ConstantDescs.MTD_void, ClassFile.ACC_STATIC, code -> code.getstatic(
                                        self, "never", ConstantDescs.CD_boolean)
                                .ifThen(then -> then.iconst_0()
                                        .istore(BYTES / BYTES_PER_LOCAL - 1)
                                        .new_(error)
                                        .dup()
                                        .invokespecial(error, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                        .athrow())
                                .return_()));
        try {
            var probe = MethodHandles.lookup().defineHiddenClass(bytes, true);
            return probe.findStatic(probe.lookupClass(), "probe", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Bug in TrueAsync: the stack probe can't be made on this JDK", e);
        }
    }
}
