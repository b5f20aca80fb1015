package org.trueasync.reactor.nio;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.trueasync.faults.CallFaults;

/** The JDK's calls that go to the system, and the errors that the manuals of the system's calls below name. */
final class FaultyCalls {
    /** What the JDK says in place of the errno. */
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("EACCES", "Permission denied"),
            Map.entry("EADDRINUSE", "Address already in use"),
            Map.entry("EADDRNOTAVAIL", "Cannot assign requested address"),
            Map.entry("EAGAIN", "Resource temporarily unavailable"),
            Map.entry("EBADF", "Bad file descriptor"),
            Map.entry("ECONNREFUSED", "Connection refused"),
            Map.entry("ECONNRESET", "Connection reset"),
            Map.entry("EDQUOT", "Disk quota exceeded"),
            Map.entry("EFBIG", "File too large"),
            Map.entry("EHOSTDOWN", "Host is down"),
            Map.entry("EHOSTUNREACH", "No route to host"),
            Map.entry("EINVAL", "Invalid argument"),
            Map.entry("EIO", "Input/output error"),
            Map.entry("EMFILE", "Too many open files"),
            Map.entry("EMSGSIZE", "Message too long"),
            Map.entry("ENETDOWN", "Network is down"),
            Map.entry("ENETUNREACH", "Network is unreachable"),
            Map.entry("ENFILE", "Too many open files in system"),
            Map.entry("ENOBUFS", "No buffer space available"),
            Map.entry("ENODEV", "No such device"),
            Map.entry("ENOENT", "No such file or directory"),
            Map.entry("ENOLCK", "No locks available"),
            Map.entry("ENOMEM", "Cannot allocate memory"),
            Map.entry("ENONET", "Machine is not on the network"),
            Map.entry("ENOPROTOOPT", "Protocol not available"),
            Map.entry("ENOSPC", "No space left on device"),
            Map.entry("ENOTCONN", "Transport endpoint is not connected"),
            Map.entry("EPERM", "Operation not permitted"),
            Map.entry("EPIPE", "Broken pipe"),
            Map.entry("EPROTO", "Protocol error"),
            Map.entry("EROFS", "Read-only file system"),
            Map.entry("ETIMEDOUT", "Connection timed out"));

    private static final Map<String, List<CallFaults.Error>> ERRORS = new TreeMap<>();

    static {
        errors("Selector.open", "EMFILE ENFILE ENOMEM");
        errors("Selector.close", "EIO+");
        errors("SocketChannel.open", "EACCES EMFILE ENFILE ENOBUFS ENOMEM");
        errors("SocketChannel.configureBlocking", "EBADF");
        errors("SocketChannel.connect", "EACCES EPERM EADDRNOTAVAIL EAGAIN ECONNREFUSED ENETUNREACH EHOSTUNREACH");
        errors("SocketChannel.finishConnect", "ECONNREFUSED ECONNRESET ETIMEDOUT ENETUNREACH EHOSTUNREACH");
        errors("SocketChannel.read", "ECONNRESET ETIMEDOUT EHOSTUNREACH ENOMEM EIO");
        errors("SocketChannel.write", "EPIPE ECONNRESET ETIMEDOUT ENOBUFS ENOMEM EACCES");
        errors("SocketChannel.shutdownOutput", "ENOTCONN");
        errors("SocketChannel.setOption", "EINVAL ENOPROTOOPT ENOBUFS ENOMEM");
        errors("SocketChannel.getLocalAddress", "EBADF ENOBUFS");
        errors("SocketChannel.getRemoteAddress", "EBADF ENOBUFS");
        errors("SocketChannel.close", "EIO+");
        errors("ServerSocketChannel.open", "EACCES EMFILE ENFILE ENOBUFS ENOMEM");
        errors("ServerSocketChannel.configureBlocking", "EBADF");
        errors("ServerSocketChannel.setOption", "EINVAL ENOPROTOOPT ENOBUFS ENOMEM");
        errors("ServerSocketChannel.bind", "EACCES EADDRINUSE EADDRNOTAVAIL EINVAL ENOMEM ENOENT EROFS");
        errors("ServerSocketChannel.getLocalAddress", "EBADF ENOBUFS");
        errors("ServerSocketChannel.accept", "EMFILE ENFILE ENOBUFS ENOMEM EPERM EPROTO ENETDOWN EHOSTDOWN ENONET");
        errors("ServerSocketChannel.close", "EIO+");
        errors("DatagramChannel.open", "EACCES EMFILE ENFILE ENOBUFS ENOMEM");
        errors("DatagramChannel.configureBlocking", "EBADF");
        errors("DatagramChannel.setOption", "EINVAL ENOPROTOOPT ENOBUFS ENOMEM EADDRNOTAVAIL ENODEV");
        errors("DatagramChannel.bind", "EACCES EADDRINUSE EADDRNOTAVAIL EINVAL");
        errors("DatagramChannel.getLocalAddress", "EBADF ENOBUFS");
        errors("DatagramChannel.connect", "EACCES EADDRNOTAVAIL EAGAIN ECONNREFUSED ENETUNREACH");
        errors("DatagramChannel.receive", "ECONNREFUSED ENOMEM EIO");
        errors("DatagramChannel.send", "EACCES EPERM EMSGSIZE ENOBUFS ENOMEM ENETUNREACH EHOSTUNREACH EINVAL");
        errors("DatagramChannel.write", "ECONNREFUSED EPERM EMSGSIZE ENOBUFS ENOMEM ENETUNREACH");
        errors("DatagramChannel.join", "EINVAL ENODEV ENOBUFS ENOMEM EADDRINUSE");
        errors("DatagramChannel.close", "EIO+");
        errors("FileChannel.open", "EACCES EDQUOT EINVAL EIO EMFILE ENFILE ENODEV ENOENT ENOMEM ENOSPC EPERM EROFS");
        errors("FileChannel.read", "EIO EINVAL EBADF");
        errors("FileChannel.write", "EDQUOT EFBIG EINVAL EIO ENOSPC EPERM");
        errors("FileChannel.size", "EIO ENOMEM");
        errors("FileChannel.truncate", "EFBIG EINVAL EIO EPERM EROFS");
        errors("FileChannel.force", "EIO ENOSPC EROFS EDQUOT EINVAL");
        errors("FileChannel.lock", "ENOLCK EBADF EINVAL");
        errors("FileChannel.tryLock", "ENOLCK EBADF EINVAL");
        errors("FileChannel.close", "EIO+ ENOSPC+ EDQUOT+");
    }

    private FaultyCalls() {}

    private static void errors(String call, String names) {
        ERRORS.put(
                call, List.of(names.split(" ")).stream().map(FaultyCalls::error).toList());
    }

    private static CallFaults.Error error(String name) {
        return new CallFaults.Error(name.replace("+", ""), 0, name.endsWith("+"));
    }

    /** Names of all calls. */
    static List<String> all() {
        return List.copyOf(ERRORS.keySet());
    }

    /** The errors of a call. */
    static List<CallFaults.Error> errorsOf(String call) {
        List<CallFaults.Error> errors = ERRORS.get(call);
        if (errors == null) throw new AssertionError("the table has no line for " + call);
        return errors;
    }

    /** True if a text names the error, by its name or by the JDK's words. */
    static boolean isNamed(CallFaults.Error error, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return text.indexOf(error.name()) > 0
                || lower.indexOf(TEXTS.get(error.name()).toLowerCase(Locale.ROOT)) > 0;
    }

    /** A call of the JDK. */
    interface Call<T> {
        T make() throws IOException;
    }

    /** Makes a call, or fails as it would. */
    static <T> T call(String name, Call<T> call) throws IOException {
        CallFaults.Error error = CallFaults.errorOf(name);
        if (error == null) return call.make();
        if (error.isMade()) call.make();
        throw new IOException(TEXTS.get(error.name()));
    }
}
