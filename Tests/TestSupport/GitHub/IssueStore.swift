#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The issues of one repository, for all who ask at once, and the pages that were made of them last: a
/// benchmark is to measure its client and not this server.
final class IssueStore: Sendable {
  private struct State: Sendable {
    var book: IssueBook
    var bodies: [String: Data] = [:]
    var size = 0
  }

  /// How many bytes of pages are kept at most.
  private static let mostBytes = 256_000_000

  private let state: Watched<State>

  init(_ book: IssueBook) {
    state = Watched(State(book: book))
  }

  /// Looks at the issues.
  func read<Result>(_ body: (IssueBook) -> Result) -> Result { state.read { body($0.book) } }

  /// Changes the issues, or asks for an order of them.
  func update<Result>(_ body: (inout IssueBook) -> Result) -> Result {
    state.update { body(&$0.book) }
  }

  /// A page as it goes out, made when it isn't there yet.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - form: What tells pages of the same issues apart.
  ///   - render: Makes the JSON of an issue.
  /// - Returns: The JSON of the list.
  func body(
    of page: IssueBook.Page, form: String, render: (SyntheticIssue) -> String
  ) -> Data {
    let key = "\(page.content)|\(form)"
    if let known = state.read({ $0.bodies[key] }) { return known }
    let body = Data(JSONText.array(page.issues.map(render)).utf8)
    state.update { state in
      if state.size + body.count > Self.mostBytes { (state.bodies, state.size) = ([:], 0) }
      state.size += body.count
      state.bodies[key] = body
    }
    return body
  }
}
