package org.trueasync.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.LongConsumer;

/**
 * The class of the pollers that take the place of the JDK's, made at run time: {@code sun.nio.ch.Poller} and what it
 * leaves to its subclasses are closed to every package but its own.
 *
 * {@snippet :
 * final class DelegatingPoller extends Poller {
 *     private final LongConsumer target;
 *
 *     DelegatingPoller(LongConsumer target) {
 *         this.target = target;
 *     }
 *
 *     void implRegister(int descriptor) {
 *         target.accept((long) descriptor << 2);
 *     }
 *
 *     void implDeregister(int descriptor, boolean polled) {
 *         target.accept((long) descriptor << 2 | 2 | (polled ? 1 : 0));
 *     }
 *
 *     int poll(int timeout) {
 *         return 0;
 *     }
 * }
 * }
 */
final class PollerClass {
    private static final ClassDesc SELF = ClassDesc.of("sun.nio.ch.DelegatingPoller");
    private static final ClassDesc BASE = ClassDesc.of("sun.nio.ch.Poller");
    private static final ClassDesc TARGET = ClassDesc.of(LongConsumer.class.getName());
    private static final MethodTypeDesc ACCEPT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long);

    private PollerClass() {}

    /** True if a call of the target says that the descriptor is not to be watched any longer. */
    static boolean isDeregistration(long call) {
        return (call & 2) != 0;
    }

    /** For a deregistration: true if the descriptor was seen ready, or the wait was stopped. */
    static boolean isPolled(long call) {
        return (call & 1) != 0;
    }

    static int descriptor(long call) {
        return (int) (call >> 2);
    }

    /** Returns the class file of {@code DelegatingPoller}. */
    static byte[] generate() {
        MethodTypeDesc make = MethodTypeDesc.of(ConstantDescs.CD_void, TARGET);
        MethodTypeDesc register = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
        MethodTypeDesc deregister =
                MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_boolean);
        MethodTypeDesc poll = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
        return ClassFile.of().build(SELF, type -> type.withSuperclass(BASE)
                .withFlags(ClassFile.ACC_FINAL)
                .withField("target", TARGET, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL)
                .withMethodBody(ConstantDescs.INIT_NAME, make, 0, code -> code.aload(0)
                        .invokespecial(BASE, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                        .aload(0)
                        .aload(1)
                        .putfield(SELF, "target", TARGET)
                        .return_())
                .withMethodBody("implRegister", register, 0, code -> code.aload(0)
                        .getfield(SELF, "target", TARGET)
                        .iload(1)
                        .i2l()
                        .iconst_2()
                        .lshl()
                        .invokeinterface(TARGET, "accept", ACCEPT)
                        .return_())
                .withMethodBody("implDeregister", deregister, 0, code -> code.aload(0)
                        .getfield(SELF, "target", TARGET)
                        .iload(1)
                        .i2l()
                        .iconst_2()
                        .lshl()
                        .iload(2)
                        .iconst_2()
                        .ior()
                        .i2l()
                        .lor()
                        .invokeinterface(TARGET, "accept", ACCEPT)
                        .return_())
                .withMethodBody("poll", poll, 0, code -> code.iconst_0().ireturn()));
    }
}
