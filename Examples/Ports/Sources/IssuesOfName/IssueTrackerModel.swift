import HTTPTargets
import PortSupport
import Reactive

/// The issues of the repository that was named last.
struct IssueTrackerModel {
  /// A name, and what became of it.
  struct Tracked: Equatable, Sendable {
    var name: String
    var reply: Reply<Found>
  }

  /// A repository and its issues.
  struct Found: Equatable, Sendable {
    var repository: String
    var issues: [Issue]
  }

  let provider: Provider<Tracker>
  let reachability: any Reachability

  /// Looks up each name, and then lists the issues. A newer name cancels whichever request is under way.
  func trackIssues<Names: AsyncSequence & Sendable>(
    of names: Names
  ) -> some AsyncSequence<Tracked, Never> & Sendable
  where Names.Element == String, Names.Failure == Never {
    names.removeDuplicates().latest { name, emit in
      await reachability.persist {
        () throws(NetworkError) in
        try await find(name)
      } report: {
        await emit(Tracked(name: name, reply: $0))
      }
    }
  }

  private func find(_ name: String) async throws(NetworkError) -> Found {
    let (owner, repository) = try Self.parts(of: name)
    let named = try await provider.request(.repository(owner: owner, name: repository))
      .decode(Repository.self)
    // The repository may have moved: its issues are under the server's name for it.
    let (newOwner, newName) = try Self.parts(of: named.fullName)
    let issues = try await provider.request(.issues(owner: newOwner, name: newName))
      .decode([Issue].self)
    return Found(repository: named.fullName, issues: issues)
  }

  private static func parts(of name: String) throws(NetworkError) -> (String, String) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw NetworkError(.requestMapping, "use OWNER/NAME")
    }
    return (parts[0], parts[1])
  }
}

extension IssueTrackerModel.Tracked: CustomStringConvertible {
  var description: String {
    switch reply {
    case .problem(let problem): "\(name): \(problem)"
    case .value(let found):
      ([found.repository] + found.issues.map { "  #\($0.number) \(harmless($0.title))" })
        .joined(separator: "\n")
    }
  }
}
