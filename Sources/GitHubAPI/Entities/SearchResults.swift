/// A page of search results.
public struct SearchResults<Item: Decodable & Sendable>: Decodable, Sendable {
  /// The maximum number of results that GitHub returns for a search.
  public static var maximumCount: Int { 1_000 }

  /// The total number of results, which may exceed ``maximumCount``.
  public let totalCount: Int
  /// Whether the search timed out, so there may be more results.
  public let isIncomplete: Bool
  /// The items of this page, starting with the best match.
  public let items: [Item]
  /// The search for issues that was carried out; nil if the server doesn't say, or for other searches.
  public let outcome: IssueSearchOutcome?

  private enum CodingKeys: String, CodingKey {
    case totalCount = "total_count"
    case isIncomplete = "incomplete_results"
    case items
    case kind = "search_type"
    case fallbackReasons = "lexical_fallback_reason"
  }

  /// Creates a page.
  public init(
    totalCount: Int, isIncomplete: Bool = false, items: [Item], outcome: IssueSearchOutcome? = nil
  ) {
    self.totalCount = totalCount
    self.isIncomplete = isIncomplete
    self.items = items
    self.outcome = outcome
  }

  /// Decodes a page. Only the items are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    items = try container.decode([Item].self, forKey: .items)
    totalCount = try container.decodeIfPresent(Int.self, forKey: .totalCount) ?? items.count
    isIncomplete = try container.decodeIfPresent(Bool.self, forKey: .isIncomplete) ?? false
    let kind = try? container.decodeIfPresent(IssueSearchKind.self, forKey: .kind)
    let reasons = try? container.decodeIfPresent([String].self, forKey: .fallbackReasons)
    outcome = kind.map { IssueSearchOutcome($0, fallbackReasons: reasons ?? []) }
  }
}

extension SearchResults: Encodable where Item: Encodable {
  /// Encodes the page in GitHub's format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(totalCount, forKey: .totalCount)
    try container.encode(isIncomplete, forKey: .isIncomplete)
    try container.encode(items, forKey: .items)
    try container.encodeIfPresent(outcome?.kind, forKey: .kind)
    if let reasons = outcome?.fallbackReasons, !reasons.isEmpty {
      try container.encode(reasons, forKey: .fallbackReasons)
    }
  }
}

extension SearchResults: Equatable where Item: Equatable {}
extension SearchResults: Hashable where Item: Hashable {}
