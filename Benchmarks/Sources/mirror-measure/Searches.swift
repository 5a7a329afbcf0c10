import GRDB
import IssueMirror

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Searches for two words at a time.
struct Searches {
  private let mirror: IssueMirror.Mirror
  private let queries: [String]

  init(file: String, count: Int) throws {
    mirror = try IssueMirror.Mirror(path: file)
    queries = try Self.queries(count, in: file)
  }

  /// Runs every search.
  ///
  /// - Parameter path: The file for the queries.
  /// - Returns: The median and the 95th percentile in microseconds.
  /// - Throws: An error if a search fails or finds nothing.
  func run(writing path: String) async throws -> String {
    try Data(queries.map { "\($0)\n" }.joined().utf8).write(to: URL(filePath: path))
    let repositories = try await mirror.repositories()
    var times: [Duration] = []
    for query in queries {
      let start = ContinuousClock.now
      let found = try await mirror.search(
        try SearchQuery(parsing: query), in: repositories, limit: 30)
      times.append(.now - start)
      guard !found.isEmpty else {
        throw MirrorMeasure.Failure(description: "nothing found for “\(query)”")
      }
    }
    times.sort()
    func microseconds(_ share: Double) -> Int {
      Int(times[min(Int(Double(times.count) * share), times.count - 1)] / .microseconds(1))
    }
    return "\(microseconds(0.5)) \(microseconds(0.95))"
  }

  /// Two words each from evenly spaced titles: some are in every other title, some in hardly any.
  private static func queries(_ count: Int, in file: String) throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let titles = try DatabaseQueue(path: file, configuration: configuration).read { database in
      let total = try Int.fetchOne(database, sql: "SELECT max(number) FROM item") ?? 0
      return try (0..<count).compactMap { index in
        try String.fetchOne(
          database, sql: "SELECT title FROM item WHERE number >= ? ORDER BY number LIMIT 1",
          arguments: [1 + index * total / count])
      }
    }
    return titles.enumerated().map { index, title in
      // Shorter words, such as articles, are in most texts, and nobody searches for them.
      let words = title.split { !$0.isLetter }.filter { $0.count > 3 }.map { $0.lowercased() }
      let first = index % max(words.count, 1)
      let second = (first + 1 + index / 7 % max(words.count - 1, 1)) % max(words.count, 1)
      return words.isEmpty ? title : "\(words[first]) \(words[second])"
    }
  }
}
