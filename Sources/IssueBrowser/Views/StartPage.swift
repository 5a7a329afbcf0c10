package import IssueTracker
package import PlatformModules

/// The places to start from.
package struct StartPage: Sendable, Hashable {
  package enum Row: Sendable, Hashable {
    case clone(RepositoryReference)
    /// The number of pending changes, and the number of those that need the user's attention.
    case outbox(waiting: Int, needingPerson: Int)
    case search(SavedView)
    case inbox
    /// A view and its number, from 1.
    case view(Int, SavedView)
    case recent(RepositoryReference)
    /// A mirrored repository and the time of its last sync; nil if the first sync was never completed.
    case mirror(RepositoryReference, syncedAt: Date?)

    /// The title of the row's group. Adjacent rows with the same title form a group.
    var title: String {
      switch self {
      case .clone: "clone"
      case .outbox: "outbox"
      case .search, .inbox: "yours"
      case .view: "views"
      case .recent: "recent"
      case .mirror: "mirrors"
      }
    }

    /// Whether both rows lead to the same place, even if their details differ.
    func leadsTo(sameAs other: Row) -> Bool {
      switch (self, other) {
      case (.outbox, .outbox): true
      case (.mirror(let one, _), .mirror(let two, _)): one == two
      default: self == other
      }
    }
  }

  /// The access token of the default host.
  package enum Account: Sendable, Hashable {
    /// The token, and where it comes from, such as `GH_TOKEN`.
    case token(from: String?)
    /// There is none, and this environment variable can set it.
    case missing(variable: String)
  }

  package var rows: [Row] = []
  package var version = ""
  /// Nil until it is known, and offline.
  package var account: Account?

  /// The rows that need a token.
  static let own = [
    SavedView(name: "assigned to me", query: "is:open assignee:@me", place: .everywhere),
    SavedView(name: "mentioning me", query: "is:open mentions:@me", place: .everywhere),
  ]
}
