package org.trueasync.io;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** Authorities, keys and certificates, made by openssl once for all tests of a JVM. */
final class TlsCertificates {
    private static final String PASSWORD = "changeit";
    private static final Map<String, SSLContext> CONTEXTS = new ConcurrentHashMap<>();
    private static Path folder;

    private TlsCertificates() {}

    static void requireOpenssl() {
        assumeTrue(isInstalled("openssl"), "openssl is not installed");
    }

    static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Where {@code NAME.pem}, {@code NAME.key} and {@code NAME.p12} are. */
    static synchronized Path folder() {
        if (folder == null) {
            try {
                folder = Files.createTempDirectory("trueasync-tls");
                folder.toFile().deleteOnExit();
                make();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return folder;
    }

    static Path file(String name) {
        return folder().resolve(name);
    }

    private static void make() throws IOException {
        authority("ca");
        authority("stranger");
        signed("server", "ca", 100, "DNS:localhost,IP:127.0.0.1,IP:::1");
        signed("alpha", "ca", 100, "DNS:alpha.test");
        signed("expired", "ca", -1, "DNS:localhost,IP:127.0.0.1");
        signed("client", "ca", 100, "email:client@test");
        signed("wrong", "stranger", 100, "email:wrong@test");
        openssl("req -newkey rsa:2048 -nodes -keyout rsa.key -out rsa.csr -subj /CN=rsa");
        sign("rsa", "ca", 100, "DNS:localhost,IP:127.0.0.1");
        Files.copy(folder.resolve("stranger.pem"), folder.resolve("self.pem"));
        try (var files = Files.list(folder)) {
            files.forEach(file -> file.toFile().deleteOnExit());
        }
    }

    private static void authority(String name) throws IOException {
        openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 100 -keyout " + name + ".key -out "
                + name + ".pem -subj /CN=" + name + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1");
        openssl("pkcs12 -export -in " + name + ".pem -inkey " + name + ".key -name key -passout pass:" + PASSWORD
                + " -out " + name + ".p12");
    }

    private static void signed(String name, String authority, int days, String names) throws IOException {
        openssl("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout " + name + ".key -out " + name
                + ".csr -subj /CN=" + name);
        sign(name, authority, days, names);
    }

    private static void sign(String name, String authority, int days, String names) throws IOException {
        Files.writeString(folder.resolve("names"), "subjectAltName=" + names);
        openssl("x509 -req -in " + name + ".csr -CA " + authority + ".pem -CAkey " + authority
                + ".key -CAcreateserial -days " + days + " -extfile names -out " + name + ".pem");
        openssl("pkcs12 -export -in " + name + ".pem -inkey " + name + ".key -certfile " + authority
                + ".pem -name key -passout pass:" + PASSWORD + " -out " + name + ".p12");
    }

    private static void openssl(String arguments) throws IOException {
        var command = new java.util.ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments.split(" ")));
        // files rather than pipes: this may run where the streams of children are ours
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            int status = process.waitFor();
            if (status != 0) throw new IOException(command + " ended with " + status + ": " + Files.readString(output));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    // ---- contexts

    /** With the key of that name, trusting the authority. */
    static SSLContext context(String key) {
        return CONTEXTS.computeIfAbsent(key, name -> context(name, "ca"));
    }

    /** Without a key, trusting the authority. */
    static SSLContext trusting() {
        return CONTEXTS.computeIfAbsent("", name -> context(null, "ca"));
    }

    static SSLContext context(String key, String trusted) {
        try {
            KeyManager[] keys = key == null ? null : keyManagers(key);
            return made(keys, trusted);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SSLContext made(KeyManager[] keys, String trusted) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(file(trusted + ".pem"))) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        TrustManager[] managers = trust.getTrustManagers();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, managers, null);
        return context;
    }

    private static KeyManager[] keyManagers(String key) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(file(key + ".p12").toFile(), PASSWORD.toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, PASSWORD.toCharArray());
        return keys.getKeyManagers();
    }

    /** A server's, which has another certificate for each of two names. */
    static SSLContext choosingByName() throws GeneralSecurityException, IOException {
        return made(
                new KeyManager[] {
                    new ByName((X509ExtendedKeyManager) keyManagers("alpha")[0], (X509ExtendedKeyManager)
                            keyManagers("server")[0])
                },
                "ca");
    }

    /** Keys by the name that the client asks for. */
    private static final class ByName extends X509ExtendedKeyManager {
        private final X509ExtendedKeyManager alpha;
        private final X509ExtendedKeyManager other;

        ByName(X509ExtendedKeyManager alpha, X509ExtendedKeyManager other) {
            this.alpha = alpha;
            this.other = other;
        }

        @Override
        public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
            var session = (ExtendedSSLSession) engine.getHandshakeSession();
            boolean isAlpha = session.getRequestedServerNames().stream()
                    .anyMatch(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII).equals("alpha.test")
                            && name instanceof SNIHostName);
            String alias = (isAlpha ? alpha : other).chooseEngineServerAlias(keyType, issuers, engine);
            return alias == null ? null : (isAlpha ? "alpha:" : "other:") + alias;
        }

        private X509ExtendedKeyManager manager(String alias) {
            return alias.startsWith("alpha:") ? alpha : other;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return manager(alias).getCertificateChain(alias.substring(6));
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return manager(alias).getPrivateKey(alias.substring(6));
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return null;
        }
    }
}
