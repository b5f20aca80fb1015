package org.trueasync.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
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

    /** Has a key for each of these hosts, made by openssl. */
    static SSLContext of(String... hosts) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String host : hosts) {
            Process openssl = new ProcessBuilder(("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
                                    + " -days 9 -keyout - -subj /CN=" + host + " -addext subjectAltName=DNS:" + host)
                            .split(" "))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String pem = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            String key = pem.substring(pem.indexOf('\n'), pem.indexOf("-----END PRIVATE"));
            var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key));
            String certificate = pem.substring(pem.indexOf("-----BEGIN CERT"));
            Certificate made = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII)));
            store.setKeyEntry(
                    host, KeyFactory.getInstance("EC").generatePrivate(spec), PASSWORD, new Certificate[] {made});
        }
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, PASSWORD);
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(keys.getKeyManagers(), null, null);
        return made;
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
            trusted.setCertificateEntry("key", store.getCertificate("localhost"));
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
                        "localhost",
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
