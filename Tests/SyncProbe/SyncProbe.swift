import CurlTransport
import GitHubAPI
import HTTPTargets
import IssueMirror

/// Brings a mirror up to date with a server on loopback, for a test that kills it:
///
///     sync-probe API-URL MIRROR [--verify]
///
/// Each request is sent once: what fails ends it.
@main
struct SyncProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let name = RepositoryName("swiftlang/swift") else { return }
    let provider = Provider.gitHub(
      .init(
        server: try GitHubServer(apiURL: arguments[1]), retries: nil, rateLimits: nil,
        transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
    do {
      try await RepositorySync(
        mirror: Mirror(path: arguments[2]), provider: provider, name: name,
        options: .init(jobs: 4, includesComments: true, verifies: arguments.contains("--verify"))
      ).run()
    } catch {
      // An error thrown from here would be a crash, and one that takes its time.
      print(error)
    }
  }
}
