import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  /// Hosts named without the address of their API.
  @Suite(
    "Hosts of Forgejo and Gitea", .timeLimit(.minutes(5)),
    .enabled(if: CertificateAuthority.problem == nil, "\(CertificateAuthority.problem ?? "")"))
  struct ForgeHostTests {
    private static let forges = [LoopbackForge.forgejo, .gitea]

    /// A host with https, and the environment of a user who has its token.
    private static func withHost(
      _ forge: LoopbackForge, isConfigured: Bool = false,
      _ body: (LoopbackServer, _ host: String, _ environment: [String: String]) async throws -> Void
    ) async throws {
      let folder = try ScratchFolder()
      let github = try ForgeServer(forge).github
      try await withLoopbackServer(answering: github.handler) { server in
        let authority = try await CertificateAuthority()
        let relay = try LoopbackRelay.tls(try await authority.certificate(.good), to: server.port)
        let host = "127.0.0.1:\(relay.port)"
        if isConfigured {
          try FileManager.default.createDirectory(
            atPath: folder["issues"], withIntermediateDirectories: true)
          try folder.write(
            Data("[forges]\n\"\(host)\" = \"\(forge.rawValue)\"\n".utf8),
            to: "issues/config.toml")
        }
        let environment = [
          "GITEA_TOKEN": "secret", "GITEA_INSTANCE_URL": "https://\(host)",
          "GH_TOKEN": "other", "GH_ENTERPRISE_TOKEN": "other", "SSL_CERT_FILE": authority.file,
          "XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.path,
          "XDG_STATE_HOME": folder.path, "XDG_CACHE_HOME": folder.path,
        ]
        try await body(server, host, environment)
        await relay.stop()
      }
    }

    @Test("a host with only an owner isn't a repository of GitHub")
    func hostAsOwner() async throws {
      let result = try await IssuesProgram.run(["codeberg.org/forgejo"], environment: [:])
      result.expectFailure(64, saying: ["no repository", "HOST/OWNER/REPO"])
    }

    @Test("a host is asked once, and no token leaves before", arguments: forges)
    func asked(forge: LoopbackForge) async throws {
      try await Self.withHost(forge) { server, host, environment in
        for _ in 1...2 {
          let list = try await IssuesProgram.run(
            ["list", "\(host)/swiftlang/swift", "--label", "bug"], environment: environment)
          #expect(list.status == .exited(0), "\(list.errorText)")
        }
        let requests = server.log.requests
        #expect(requests.count { $0.path.hasSuffix("/version") } == 1)
        #expect(requests.first?.headers["Authorization"] == nil)
        #expect(
          requests.dropFirst().allSatisfy {
            $0.headers["Authorization"]?.hasSuffix(" secret") == true
          })
      }
    }

    @Test(
      "the first write to a host is a write to its own forge", arguments: forges, [false, true])
    func firstWrite(forge: LoopbackForge, isConfigured: Bool) async throws {
      try await Self.withHost(forge, isConfigured: isConfigured) { server, host, environment in
        let folder = try ScratchFolder()
        try folder.write(PNG.image(width: 3, height: 2), to: "shot.png")
        let arguments = [
          "create", "-R", "\(host)/swiftlang/swift", "-t", "Crash", "-b", "Look", "--attach",
          folder["shot.png"],
        ]
        let created = try await IssuesProgram.run(arguments, environment: environment)
        #expect(created.status == .exited(0), "\(created.errorText)")
        #expect(server.log.requests.contains { $0.path.hasSuffix("/assets") })
        #expect(server.log.requests.allSatisfy { !$0.path.hasPrefix("/api/v3") })
        #expect(
          server.log.requests.contains { $0.path.hasSuffix("/version") } != isConfigured)
      }
    }
  }
}
