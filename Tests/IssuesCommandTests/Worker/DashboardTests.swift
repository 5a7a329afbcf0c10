import IssueMirrorPostgres
import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("The dashboard and the alerts of workers")
struct DashboardTests {
  private static let metrics: Set<String> = {
    let text = WorkerStatus().metrics + WorkerEndpoints.metrics(of: [:])
    return Set(
      text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        .map { String($0.split(separator: " ")[2]) })
  }()

  private static func page(_ name: String) throws -> String {
    try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Documentation/\(name)"),
      encoding: .utf8)
  }

  @Test(
    "they use only metrics that a worker has",
    arguments: ["issues-worker.grafana.json", "issues-worker.alerts.yaml"])
  func names(file: String) throws {
    let used = Set(try Self.page(file).matches(of: /\bissues_[a-z_]+/).map { String($0.output) })
    #expect(used.count > 5)
    #expect(used.subtracting(Self.metrics).isEmpty)
  }

  @Test("the dashboard shows every metric that has a meaning for people")
  func dashboard() throws {
    let text = try Self.page("issues-worker.grafana.json")
    struct Dashboard: Decodable {
      var uid: String
    }
    #expect(try JSONDecoder().decode(Dashboard.self, from: Data(text.utf8)).uid == "issues-worker")
    let unused = Self.metrics.filter { !text.contains($0) }
    #expect(unused == ["issues_budget_reserved", "issues_budget_renewed_in_seconds"])
  }
}
