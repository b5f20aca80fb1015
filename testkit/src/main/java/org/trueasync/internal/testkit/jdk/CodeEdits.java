package org.trueasync.internal.testkit.jdk;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the JDK's classes that are more than another class for a static method. Where a later JDK does such a
 * thing in another way, it does it as if there were no agent.
 */
final class CodeEdits {
    /** Writes what stands in place of an instruction. */
    interface Replacement {
        void write(CodeBuilder code, Instruction old);
    }

    /**
     * One change.
     *
     * @param types the classes, by the begin of their internal name
     * @param method the method; empty for all
     * @param owner the class of the member that the instruction uses
     * @param member the begin of its name and descriptor
     */
    record Edit(String types, String method, String owner, String member, Replacement code) {
        boolean mayBeIn(String type, PoolPatch pool) {
            return type.startsWith(types) && pool.uses(owner, member);
        }

        private boolean isAt(CodeElement element) {
            return switch (element) {
                case InvokeInstruction call ->
                    uses(
                            call.owner().asInternalName(),
                            call.name() + call.type().stringValue());
                case FieldInstruction read
                when read.opcode() != Opcode.PUTSTATIC ->
                    uses(
                            read.owner().asInternalName(),
                            read.name() + read.type().stringValue());
                default -> false;
            };
        }

        private boolean uses(String usedOwner, String used) {
            return usedOwner.equals(owner) && used.startsWith(member);
        }

        private boolean isIn(MethodModel model) {
            return (method.isEmpty() || model.methodName().equalsString(method))
                    && model.code().isPresent()
                    && model.code().get().elementStream().anyMatch(this::isAt);
        }

        byte @Nullable [] change(ClassFile file, byte[] bytes) {
            ClassModel model = file.parse(bytes);
            if (model.methods().stream().noneMatch(this::isIn)) return null;
            return file.transformClass(
                    model, ClassTransform.transformingMethodBodies(this::isIn, (builder, element) -> {
                        if (isAt(element)) code.write(builder, (Instruction) element);
                        else builder.with(element);
                    }));
        }
    }

    private static final ClassDesc HOOK = ClassDesc.of(Agent.HOOK);
    private static final ClassDesc THREADS = ClassDesc.of(Agent.THREADS);
    private static final ClassDesc BYTES = CD_byte.arrayType();
    private static final ClassDesc POOL = ClassDesc.of("java.util.concurrent.ForkJoinPool");
    private static final ClassDesc TASK = ClassDesc.of("java.util.concurrent.ForkJoinTask");
    private static final ClassDesc UNSAFE = ClassDesc.of("jdk.internal.misc.Unsafe");
    private static final ClassDesc ATOMIC = ClassDesc.of("java.util.concurrent.atomic.AtomicLong");
    private static final ClassDesc ATOMIC_INT = ClassDesc.of("java.util.concurrent.atomic.AtomicInteger");
    private static final ClassDesc RANDOM = ClassDesc.of("java.util.Random");
    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc DATE = ClassDesc.of("java.util.Date");
    private static final ClassDesc DELAYED = ClassDesc.of("java.util.concurrent.CompletableFuture$DelayedExecutor");

    private static final ClassDesc PROVIDER = ClassDesc.of("java.nio.file.spi.FileSystemProvider");
    private static final ClassDesc CHANNELS = ClassDesc.of("java.nio.channels.spi.SelectorProvider");
    private static final ClassDesc PATH = ClassDesc.of("java.nio.file.Path");
    private static final ClassDesc SOCKET = ClassDesc.of("java.net.SocketImpl");
    private static final ClassDesc DATAGRAMS = ClassDesc.of("java.net.DatagramSocketImplFactory");
    private static final ClassDesc ADDRESS = ClassDesc.of("java.net.InetAddress");

    private static final List<Edit> EDITS = List.of(
            provides("java/nio/file/Files", "provider"),
            provides("java/nio/channels/", "open"),
            new Edit(
                    "java/nio/channels/spi/SelectorProvider",
                    "provider",
                    "java/nio/channels/spi/SelectorProvider$Holder",
                    "INSTANCEL",
                    (code, read) -> code.with(read).invokestatic(HOOK, "channels", type(CHANNELS, CHANNELS))),
            new Edit(
                    "java/nio/channels/",
                    "open",
                    "java/nio/channels/spi/AsynchronousChannelProvider",
                    "openAsynchronous",
                    (code, call) ->
                            code.invokestatic(HOOK, "refuse", type(CD_void)).with(call)),
            new Edit(
                    "java/net/SocketImpl",
                    "createPlatformSocketImpl",
                    "sun/nio/ch/NioSocketImpl",
                    "<init>(Z)V",
                    (code, call) ->
                            unlessNull(code.iload(0).invokestatic(HOOK, "socket", type(SOCKET, CD_boolean)), call)),
            new Edit(
                    "java/net/DatagramSocket",
                    "createDelegate",
                    "java/net/DatagramSocket",
                    "factoryL",
                    (code, read) -> code.with(read).invokestatic(HOOK, "datagrams", type(DATAGRAMS, DATAGRAMS))),
            new Edit(
                    "java/net/InetAddress",
                    "getAllByName",
                    "java/net/InetAddress",
                    "getAllByName0(",
                    (code, call) -> unlessNull(
                            code.aload(0).invokestatic(HOOK, "addresses", type(ADDRESS.arrayType(), CD_String)), call)),
            new Edit(
                    "java/net/InetAddress",
                    "getLocalHost",
                    "java/net/InetAddress",
                    "cachedLocalHost",
                    (code, read) -> unlessNull(code.invokestatic(HOOK, "localHost", type(ADDRESS)), read)),
            new Edit(
                    "java/net/InetAddress",
                    "getHostFromNameService",
                    "java/net/spi/InetAddressResolver",
                    "lookupByAddress(",
                    (code, call) ->
                            unlessNull(code.aload(0).invokestatic(HOOK, "nameOf", type(CD_String, ADDRESS)), call)),
            seeds("java/util/concurrent/ThreadLocalRandom"),
            new Edit(
                    "java/util/concurrent/ThreadLocalRandom",
                    "localInit",
                    "java/util/concurrent/atomic/AtomicInteger",
                    "addAndGet(",
                    (code, call) -> code.invokestatic(HOOK, "addAndGet", type(CD_int, ATOMIC_INT, CD_int))),
            numbers("java/util/concurrent/ThreadLocalRandom"),
            numbers("java/util/concurrent/ForkJoinPool"),
            seeds("java/util/SplittableRandom"),
            seeds("jdk/internal/random/"),
            new Edit(
                    "java/security/SecureRandom",
                    "nextBytes",
                    "java/security/SecureRandomSpi",
                    "engineNextBytes(",
                    (code, call) -> code.with(call).aload(1).invokestatic(HOOK, "fill", type(CD_void, BYTES))),
            new Edit(
                    "java/security/SecureRandom",
                    "generateSeed",
                    "java/security/SecureRandomSpi",
                    "engineGenerateSeed(",
                    (code, call) -> code.with(call).dup().invokestatic(HOOK, "fill", type(CD_void, BYTES))),
            new Edit(
                    "java/util/Collections",
                    "shuffle",
                    "java/util/Collections",
                    "rLjava/util/Random;",
                    (code, read) -> code.with(read).invokestatic(HOOK, "generator", type(RANDOM, RANDOM))),
            orders("SALT32LJ", "salt", CD_long),
            orders("REVERSEZ", "reverse", CD_boolean),
            parks("java/lang/VirtualThread", HOOK),
            parks("java/util/concurrent/locks/LockSupport", HOOK),
            parks("java/util/concurrent/ForkJoinPool", THREADS),
            // certificates are of the real world, and most of them begin after the year 2000
            new Edit("sun/security/", "", "java/util/Date", "<init>()V", (code, call) -> code.invokestatic(
                            SYSTEM, "currentTimeMillis", type(CD_long))
                    .invokespecial(DATE, "<init>", type(CD_void, CD_long))),
            new Edit(
                    "java/util/concurrent/ForkJoinPool",
                    "poolSubmit",
                    "jdk/internal/access/JavaLangAccess",
                    "currentCarrierThread(",
                    (code, call) -> {
                        Label toPool = code.newLabel();
                        code.aload(0).aload(2).invokestatic(HOOK, "runs", type(CD_boolean, POOL, TASK));
                        code.ifeq(toPool)
                                .aload(2)
                                .areturn()
                                .labelBinding(toPool)
                                .with(call);
                    }),
            delays(
                    "CompletableFuture",
                    "arrangeTimeout",
                    (code, call) -> delay(code.dup().lload(1), call)),
            delays(
                    "CompletableFuture$DelayedExecutor",
                    "execute",
                    (code, call) -> delay(code.dup().aload(0).getfield(DELAYED, "nanoDelay", CD_long), call)));

    /** Of threads, see {@link ThreadEdits}. */
    private static final List<Edit> ALL =
            Stream.concat(EDITS.stream(), ThreadEdits.EDITS.stream()).toList();

    private CodeEdits() {}

    static MethodTypeDesc type(ClassDesc result, ClassDesc... parameters) {
        return MethodTypeDesc.of(result, parameters);
    }

    /** A method whose first parameter is the path. */
    private static Edit provides(String types, String method) {
        return new Edit(types, method, "java/nio/file/FileSystem", "provider(", (code, call) -> code.with(call)
                .aload(0)
                .invokestatic(HOOK, "provider", type(PROVIDER, PROVIDER, PATH)));
    }

    /** Returns what is on the stack, unless it is null: then the code goes on as it was. */
    private static void unlessNull(CodeBuilder code, Instruction old) {
        Label real = code.newLabel();
        code.dup().ifnull(real).areturn().labelBinding(real).pop().with(old);
    }

    private static Edit seeds(String types) {
        return new Edit(
                types,
                "",
                "java/util/concurrent/atomic/AtomicLong",
                "getAndAdd(",
                (code, call) -> code.invokestatic(HOOK, "getAndAdd", type(CD_long, ATOMIC, CD_long)));
    }

    /** Which only iterators read. */
    private static Edit orders(String member, String hook, ClassDesc value) {
        String types = "java/util/ImmutableCollections";
        return new Edit(
                types, "", types, member, (code, read) -> code.with(read).invokestatic(HOOK, hook, type(value, value)));
    }

    private static Edit numbers(String types) {
        return new Edit(
                types,
                "",
                "java/lang/Thread",
                "threadId(",
                (code, call) -> code.invokestatic(HOOK, "threadId", type(CD_long, THREAD)));
    }

    private static Edit parks(String types, ClassDesc hook) {
        return new Edit(
                types,
                "",
                "jdk/internal/misc/Unsafe",
                "park(",
                (code, call) -> code.invokestatic(hook, "park", type(CD_void, UNSAFE, CD_boolean, CD_long)));
    }

    private static Edit delays(String type, String method, Replacement code) {
        return new Edit(
                "java/util/concurrent/".concat(type),
                method,
                "java/util/concurrent/ForkJoinPool",
                "scheduleDelayedTask(",
                code);
    }

    /** Before it are pool, task, task and time; after it is one of the first two, which nobody uses. */
    private static void delay(CodeBuilder code, Instruction call) {
        Label here = code.newLabel();
        Label end = code.newLabel();
        code.invokestatic(HOOK, "delays", type(CD_boolean, TASK, CD_long)).ifne(here);
        code.with(call).goto_(end);
        code.labelBinding(here).pop();
        code.labelBinding(end);
    }

    /**
     * Loads the classes that are named in full. One that is loaded later is not changed: its new stack maps need the
     * class itself, which is being loaded then.
     */
    static void load() {
        for (Edit edit : EDITS) {
            try {
                Class.forName(edit.types.replace('/', '.'), false, null);
            } catch (ClassNotFoundException partOfAName) {
                // those have no branches where they are changed
            }
        }
    }

    /** True for a class of {@code java.base} that {@link #change} may change. */
    static boolean knows(String name) {
        for (Edit edit : ALL) if (name.startsWith(edit.types)) return true;
        return false;
    }

    /** True if {@link #change} is likely to change a class. */
    static boolean mayChange(String name, PoolPatch pool) {
        for (Edit edit : ALL) if (edit.mayBeIn(name, pool)) return true;
        return false;
    }

    /** Null if nothing changes. */
    static byte @Nullable [] change(String name, byte[] bytes, PoolPatch pool) {
        byte[] changed = null;
        for (Edit edit : ALL) {
            if (!edit.mayBeIn(name, pool)) continue;
            byte[] now = edit.change(ClassFile.of(), changed == null ? bytes : changed);
            if (now != null) changed = now;
        }
        return changed;
    }
}
