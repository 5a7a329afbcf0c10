package import IssueTracker

/// The repositories of a list.
package enum ListScope: Sendable, Hashable {
  case repository(RepositoryReference)
  /// Several repositories of one host.
  case repositories([RepositoryReference])
  /// All repositories that the user can see on a host; nil means the default host.
  case everywhere(host: String?)

  /// The only repository; nil if there may be several.
  package var reference: RepositoryReference? {
    if case .repository(let reference) = self { reference } else { nil }
  }

  /// The named repositories; empty for ``everywhere(host:)``.
  var references: [RepositoryReference] {
    switch self {
    case .repository(let reference): [reference]
    case .repositories(let references): references
    case .everywhere: []
    }
  }

  /// The host; nil means the default host.
  package var host: String? {
    if case .everywhere(let host) = self { host } else { references.first?.host }
  }

  /// The repositories in words, such as `apple/swift, apple/llvm-project`.
  var words: String {
    references.isEmpty
      ? "all repositories" : references.map(\.description).joined(separator: ", ")
  }
}
