import Foundation
import Testing

/// Answers that real servers gave, recorded outside this package and not needed to test it.
struct RecordedExchange: Decodable, CustomStringConvertible {
  struct Request: Decodable {
    let method: String
    let url: String
  }

  struct Response: Decodable {
    let status: Int
    let headers: [[String]]
    let body: String
  }

  let name: String
  let request: Request
  let response: Response

  var description: String { name }
  var body: Data { Data(response.body.utf8) }

  func headerValues(_ name: String) -> [String] {
    response.headers.filter { $0.count == 2 && $0[0].lowercased() == name.lowercased() }
      .map { $0[1] }
  }
}

enum RecordedExchanges {
  static let comment: Comment =
    "needs the recorded exchanges: set ISSUES_FIXTURES, or put them at shared/github-fixtures"

  /// The folder that holds the recordings: named by the environment, or beside the checkout.
  static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["ISSUES_FIXTURES"] {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    var directory = URL(filePath: #filePath).deletingLastPathComponent()
    while directory.path != "/" {
      let candidate = directory.appending(path: "shared/github-fixtures")
      if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
      directory.deleteLastPathComponent()
    }
    return nil
  }()

  static var areAvailable: Bool { folder != nil }

  static func load(_ file: String) throws -> [RecordedExchange] {
    struct File: Decodable { let exchanges: [RecordedExchange] }
    guard let folder else { return [] }
    let data = try Data(contentsOf: folder.appending(path: file))
    return try JSONDecoder().decode(File.self, from: data).exchanges
  }

  /// Every exchange of every file.
  static func loadAll() throws -> [RecordedExchange] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix("openapi") }
      .sorted().flatMap(load)
  }
}
