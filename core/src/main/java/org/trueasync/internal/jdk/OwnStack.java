package org.trueasync.internal.jdk;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.trueasync.internal.error.Throwing;

/**
 * Code on a stack of its own, which a platform thread can put aside and go on with: a bare continuation of the JDK. For
 * loops that share a thread; coroutines are mounted on top of it.
 */
public final class OwnStack {
    /**
     * Resolved with the first use, as few programs need it. The package of continuations is not open to us, but a class
     * in {@code java.lang} may use them: so one is made there.
     */
    private static final class Access {
        private static final String BRIDGE = "java.lang.TrueAsyncStack";

        static final MethodHandle NEW;
        static final MethodHandle RUN;
        static final MethodHandle IS_DONE;
        static final MethodHandle LEAVE;

        static {
            try {
                Class<?> bridge = bridge();
                MethodHandles.Lookup inside = PrivateAccess.in(bridge);
                NEW = inside.findStatic(bridge, "of", MethodType.methodType(Object.class, Runnable.class));
                RUN = inside.findStatic(bridge, "run", MethodType.methodType(void.class, Object.class));
                IS_DONE = inside.findStatic(bridge, "isDone", MethodType.methodType(boolean.class, Object.class));
                LEAVE = inside.findStatic(bridge, "leave", MethodType.methodType(boolean.class));
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private static Class<?> bridge() throws ReflectiveOperationException {
            try {
                return PrivateAccess.in(Thread.class).defineClass(bytesOfBridge());
            } catch (LinkageError madeAlready) { // by these classes in another class loader
                return Class.forName(BRIDGE, true, null);
            }
        }

        /** A class whose static methods are the operations of a continuation in a scope of its own. */
        private static byte[] bytesOfBridge() {
            ClassDesc self = ClassDesc.of(BRIDGE);
            ClassDesc continuation = ClassDesc.of("jdk.internal.vm.Continuation");
            ClassDesc scope = ClassDesc.of("jdk.internal.vm.ContinuationScope");
            ClassDesc runnable = ClassDesc.of("java.lang.Runnable");
            MethodTypeDesc ofScope = MethodTypeDesc.of(CD_void, scope, runnable);
            return ClassFile.of().build(self, made -> made.withField("SCOPE", scope, ACC_STATIC | ACC_FINAL)
                    .withMethodBody(CLASS_INIT_NAME, MTD_void, ACC_STATIC, code -> code.new_(scope)
                            .dup()
                            .ldc("trueasync")
                            .invokespecial(scope, INIT_NAME, MethodTypeDesc.of(CD_void, CD_String))
                            .putstatic(self, "SCOPE", scope)
                            .return_())
                    .withMethodBody(
                            "of", MethodTypeDesc.of(CD_Object, runnable), ACC_STATIC, code -> code.new_(continuation)
                                    .dup()
                                    .getstatic(self, "SCOPE", scope)
                                    .aload(0)
                                    .invokespecial(continuation, INIT_NAME, ofScope)
                                    .areturn())
                    .withMethodBody("run", MethodTypeDesc.of(CD_void, CD_Object), ACC_STATIC, code -> code.aload(0)
                            .checkcast(continuation)
                            .invokevirtual(continuation, "run", MTD_void)
                            .return_())
                    .withMethodBody(
                            "isDone", MethodTypeDesc.of(CD_boolean, CD_Object), ACC_STATIC, code -> code.aload(0)
                                    .checkcast(continuation)
                                    .invokevirtual(continuation, "isDone", MethodTypeDesc.of(CD_boolean))
                                    .ireturn())
                    .withMethodBody("leave", MethodTypeDesc.of(CD_boolean), ACC_STATIC, code -> code.getstatic(
                                    self, "SCOPE", scope)
                            .invokestatic(continuation, "yield", MethodTypeDesc.of(CD_boolean, scope))
                            .ireturn()));
        }
    }

    private final Object continuation;

    /**
     * A stack on which nothing runs yet.
     *
     * @param code runs on it; throws nothing
     */
    public OwnStack(Runnable code) {
        try {
            continuation = (Object) Access.NEW.invokeExact(code);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /**
     * Begins the code, or goes on with it, until it leaves or ends. On a platform thread, the same one each time.
     *
     * @return false if it has ended
     */
    public boolean resume() {
        try {
            Access.RUN.invokeExact(continuation);
            return !(boolean) Access.IS_DONE.invokeExact(continuation);
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }

    /** Puts the stack of the calling code aside; returns when it is resumed. While no coroutine is mounted on it. */
    public static void leave() {
        try {
            boolean _ = (boolean) Access.LEAVE.invokeExact();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
    }
}
