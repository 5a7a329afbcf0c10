internal import PlatformModules

/// The issues of one repository, for all clients at once, with its most recent pages: a benchmark should measure its
/// client, not this server.
final class IssueStore: Sendable {
  private struct State: Sendable {
    var book: IssueBook
    var bodies: [String: Data] = [:]
    var size = 0
  }

  /// The most bytes of pages to keep.
  private static let mostBytes = 256_000_000

  private let state: Watched<State>

  init(_ book: IssueBook) {
    state = Watched(State(book: book))
  }

  /// Reads the issues.
  func read<Result>(_ body: (IssueBook) -> Result) -> Result { state.read { body($0.book) } }

  /// Changes the issues, or makes an order of them.
  func update<Result>(_ body: (inout IssueBook) -> Result) -> Result {
    state.update { body(&$0.book) }
  }

  /// A page's JSON, made unless it is kept.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - form: Distinguishes pages of the same issues.
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
