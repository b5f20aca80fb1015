package org.trueasync.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key for localhost and 127.0.0.1 that has signed itself, made once for all tests of a JVM. */
final class Keys {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static SSLContext context;
    private static SSLContext trusting;

    private Keys() {}

    /** Has the key, and trusts it. */
    static synchronized SSLContext context() throws Exception {
        if (context == null) context = made();
        return context;
    }

    /** Trusts the key, and has none. */
    static synchronized SSLContext trusting() throws Exception {
        context();
        return trusting;
    }

    private static SSLContext made() throws Exception {
        Path folder = Files.createTempDirectory("trueasync-http");
        Path file = folder.resolve("key.p12");
        try {
            keytool(file);
            KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
            var keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(store, PASSWORD);
            var trust = TrustManagerFactory.getInstance("PKIX");
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("key", store.getCertificate("key"));
            trust.init(trusted);
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            trusting = SSLContext.getInstance("TLS");
            trusting.init(null, trust.getTrustManagers(), null);
            return made;
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void keytool(Path file) throws Exception {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        tool,
                        "-genkeypair",
                        "-alias",
                        "key",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=DNS:localhost,IP:127.0.0.1",
                        "-validity",
                        "100",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0)
            throw new IOException("keytool has failed");
    }
}
