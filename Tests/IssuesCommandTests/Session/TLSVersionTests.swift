import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  /// The command on a system whose own configuration allows every version there ever was.
  @Suite(
    "Versions of TLS", .timeLimit(.minutes(5)),
    .enabled(if: CertificateAuthority.problem == nil, "\(CertificateAuthority.problem ?? "")"))
  struct TLSVersionTests {
    private static let configuration = """
      openssl_conf = all
      [all]
      ssl_conf = ssl
      [ssl]
      system_default = system
      [system]
      MinProtocol = TLSv1
      CipherString = ALL:@SECLEVEL=0
      """

    @Test(
      "TLS versions before 1.2 are refused, whatever the system allows",
      arguments: TLSVersion.allCases)
    func versions(version: TLSVersion) async throws {
      let github = LoopbackGitHub()
      try await withLoopbackServer(answering: github.handler) { server in
        let authority = try await CertificateAuthority()
        let relay = try LoopbackRelay.tls(
          try await authority.certificate(.good, host: "api.github.com"), to: server.port,
          upTo: version)
        let proxy = try LoopbackRelay.proxy(to: relay.port)
        let result = try await Self.run(
          authority, ["https_proxy": "http://127.0.0.1:\(proxy.port)"])
        let isSpoken = version == .tls12 || version == .tls13
        // The response redirects to http, which isn't followed: only the connection matters.
        #expect(
          result.errorText.contains("no secure connection") != isSpoken, "\(result.errorText)")
        #expect(relay.received.isEmpty != isSpoken)
        await proxy.stop()
        await relay.stop()
      }
    }

    @Test(
      "TLS versions before 1.2 are refused for proxies too", arguments: [TLSVersion.tls10, .tls11])
    func proxies(version: TLSVersion) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let authority = try await CertificateAuthority()
        let tunnel = try LoopbackRelay.proxy(to: server.port)
        let proxy = try LoopbackRelay.tls(
          try await authority.certificate(.good), to: tunnel.port, upTo: version)
        let result = try await Self.run(
          authority, ["https_proxy": "https://127.0.0.1:\(proxy.port)"])
        // With a version that is spoken it would be about the certificate.
        #expect(result.errorText.contains("no secure connection"), "\(result.errorText)")
        #expect(proxy.received.isEmpty)
        await proxy.stop()
        await tunnel.stop()
      }
    }

    private static func run(
      _ authority: CertificateAuthority, _ proxy: [String: String]
    ) async throws -> CommandRun.Result {
      let folder = try ScratchFolder()
      try folder.write(Data(configuration.utf8), to: "openssl.cnf")
      return try await IssuesProgram.run(
        ["apple/swift", "--retries", "0"],
        environment: proxy.merging([
          "GH_TOKEN": IssuesProgram.token, "SSL_CERT_FILE": authority.file,
          "OPENSSL_CONF": folder["openssl.cnf"],
        ]) { $1 })
    }
  }
}
