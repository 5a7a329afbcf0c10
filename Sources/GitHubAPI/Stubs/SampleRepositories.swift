internal import SampleData

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The sample repositories, searched as a server would.
public enum SampleRepositories {
  /// Every sample repository that a search can find.
  ///
  /// - Returns: The repositories.
  /// - Throws: `DecodingError` if the sample were broken.
  public static func all() throws -> [Repository] {
    try GitHubJSON.decode(SearchResults<Repository>.self, from: Data(SampleData.searchRepositories))
      .items
  }

  private struct Answer: Encodable {
    var totalCount: Int
    var isIncomplete = false
    var items: [FieldSelection<Repository>]

    private enum CodingKeys: String, CodingKey {
      case totalCount = "total_count"
      case isIncomplete = "incomplete_results"
      case items
    }
  }

  /// Answers `GET /search/repositories` with all that a query finds in the sample: it fits on one page of
  /// any size that is asked for.
  ///
  /// Each word has to occur in the full name or the description. Of the qualifiers `language:`, `user:` and
  /// `org:` count; others leave everything in.
  ///
  /// - Returns: A JSON object.
  /// - Throws: `DecodingError` if the sample were broken.
  static func answer(query: String) throws -> Data {
    let words = query.lowercased().split { $0.isWhitespace }
    let found = try all().filter { repository in words.allSatisfy { matches(repository, $0) } }
    return try GitHubJSON.encoder().encode(
      Answer(
        totalCount: found.count,
        items: found.map { FieldSelection(entity: $0, fields: Repository.Field.allCases) }))
  }

  private static func matches(_ repository: Repository, _ word: Substring) -> Bool {
    let parts = word.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else {
      let text = "\(repository.fullName) \(repository.description ?? "")".lowercased()
      return text.contains(word)
    }
    let value = String(parts[1])
    return switch parts[0] {
    case "language": repository.language?.lowercased() == value
    case "user", "org": repository.owner?.login.lowercased() == value
    default: true
    }
  }
}
