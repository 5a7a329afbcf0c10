internal import GitHubAPI
internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Whose pages these are.
extension SyncRun {
  /// Makes sure that pages are the repository's: a name may be another one's while they are asked for.
  ///
  /// GitHub's links have the repository's id in them. A page without one is of the repository that has the name when
  /// that is looked up after it: ids don't come back.
  ///
  /// - Throws: ``HTTPTargets/NetworkError`` where they are another repository's; nothing of them is stored then.
  mutating func confirm(_ pages: [TimelineRequests.Page]) async throws {
    lastReceived = pages.map(\.received).reduce(lastReceived, max)
    let id = repository.serverID
    guard pages.allSatisfy({ $0.repositoryID ?? id == id }) else {
      throw NetworkError.replaced(repository.fullName)
    }
    let asked = description?.asked ?? .distantPast
    // What has nothing on it brings nothing of another one.
    let isKnown = pages.allSatisfy { page in
      page.contents.entries.isEmpty
        || (page.repositoryID != nil || page.received <= asked) && names(page)
    }
    guard !isKnown else { return }
    try await lookUpAgain()
    guard pages.allSatisfy(names) else {
      throw NetworkError(
        .decoding,
        "the list of \(repository.fullName) has entries of another repository: sync it once more")
    }
  }

  /// Whether all entries of a page that name their repository name this one.
  private func names(_ page: TimelineRequests.Page) -> Bool {
    page.contents.entries.allSatisfy { entry in
      guard let address = entry.repositoryURL else { return true }
      let parts = address.split(separator: "/").suffix(2)
      if parts.first == "repositories" { return parts.last == "\(repository.serverID)" }
      return parts.joined(separator: "/").lowercased() == repository.fullName.lowercased()
    }
  }
}
