internal import IssueTracker

/// An order of issues in the menu of orders.
package enum ListOrder: String, CaseIterable, Sendable, Hashable {
  case newest = "created-desc"
  case oldest = "created-asc"
  case recentlyUpdated = "updated-desc"
  case leastRecentlyUpdated = "updated-asc"
  case mostComments = "comments-desc"
  case fewestComments = "comments-asc"
  case mostReactions = "reactions-desc"
  case fewestReactions = "reactions-asc"
  case bestMatch = "relevance-desc"

  /// The order that a filter specifies, or else the default: best match for a search, and newest first for a list.
  init(of query: ListQuery) {
    let fallback: ListOrder = if case .searched = query { .bestMatch } else { .newest }
    let word = FilterWord.words(of: query.filterText ?? "").last(where: \.isOrder)
    let order = word.map { $0.value.lowercased() } ?? ""
    self = Self(rawValue: order) ?? Self(rawValue: "\(order)-desc") ?? fallback
  }

  /// The filter with this order instead of any other.
  func applied(to text: String) -> String {
    let words = FilterWord.words(of: text).filter { !$0.isOrder }.map(\.text)
    return (self == .bestMatch ? words : words + ["sort:\(rawValue)"]).joined(separator: " ")
  }

  /// The order in words, such as `newest first`.
  var words: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .recentlyUpdated: "recently updated first"
    case .leastRecentlyUpdated: "least recently updated first"
    case .mostComments: "most comments first"
    case .fewestComments: "fewest comments first"
    case .mostReactions: "most reactions first"
    case .fewestReactions: "fewest reactions first"
    case .bestMatch: "best match first"
    }
  }
}

package struct OrderMenu: Sendable, Hashable {
  package let orders: [ListOrder]
  package var selection: Int

  /// Creates the menu. Only a search has the best match.
  init(for query: ListQuery) {
    let order = ListOrder(of: query)
    let isSearch = if case .searched = query { true } else { false }
    orders = ListOrder.allCases.filter { $0 != .bestMatch || isSearch }
    selection = orders.firstIndex(of: order) ?? 0
  }

  /// Moves down for positive numbers, and wraps at the ends.
  mutating func move(by step: Int) {
    selection = (selection + step + orders.count) % orders.count
  }
}
