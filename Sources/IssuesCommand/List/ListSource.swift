internal import IssueTracker
internal import StyledText

/// A list of a server, of its search or of the mirror, or several merged: rows page by page, and then how it ended.
///
/// It gives no more rows than its limit, and throws where it breaks off.
protocol ListSource<Item>: MergedList where Item: ListItem {
  /// The list's name, such as `apple/swift`.
  var subject: String { get }

  /// What is going on, such as `Loading the issues of apple/swift`.
  var status: String { get }

  /// What stands above a table's first page, once that is there.
  var heading: String { get }

  /// What a person is told where there are no rows.
  var nothing: String { get }

  /// Known after the last page.
  var end: ListEnd { get }

  /// The lists whose changes can be asked for, after the last page.
  var followed: [FollowedList] { get }
}

extension ListSource {
  var followed: [FollowedList] { [] }

  /// Writes the rows as they arrive, and says how the list ended. `goesOn` is whether the status line is still needed.
  mutating func write(
    to writer: inout ListWriter<Item>, _ session: CommandSession, goesOn: Bool = false
  ) async throws {
    session.progress.update("\(status)…")
    do {
      while let items = try await next() {
        try await writer.write(items, heading: heading)
        session.progress.update("\(status)… \(writer.count) so far")
      }
    } catch {
      try await writer.writeGroups()
      throw error
    }
    if !goesOn { session.progress.finish() }
    try await writer.finish(end, nothing: nothing)
  }
}

extension ListSource where Item == IssueRow {
  /// Shows the list, and goes on with its changes if they are asked for.
  func show(in form: IssueListForm, _ session: CommandSession) async throws {
    var list = self
    var writer = try form.writer(session)
    try await list.write(to: &writer, session, goesOn: form.follow != nil)
    guard let follow = form.follow else { return }
    try await follow.run(list.followed, list.subject, &writer) {
      form.row(located: $0, on: $1, $2)
    }
  }
}

/// How a list ended: whether it is complete, and if not, why.
///
/// Every form of output says so through ``ListWriter/finish(_:nothing:)``.
struct ListEnd: Sendable {
  /// The limit, if there are more rows than that.
  var limit: Int?
  /// How many rows there are in all, if that is known.
  var total: Int?
  /// How many rows all are, if a search gives no more.
  var reach: Int?
  /// What else a reader has to know.
  var notes: [String] = []
  /// What is missing in a list that goes on.
  var gap: CommandFailure?
  /// Why the list is incomplete, although all of it was asked for. The rows are right, and JSON is whole.
  var failure: CommandFailure?
}

/// Rows that are only known together.
struct WholeList<Item: ListItem>: ListSource {
  let subject: String
  let status: String
  let nothing: String
  let limit: Int?
  /// Gets the number of rows that are shown, and of all.
  let title: @Sendable (_ shown: Int, _ all: Int) -> String
  /// Why the rows aren't all that there are; nil where they are.
  var failure: CommandFailure?
  let load: @Sendable () async throws -> [Item]
  private(set) var heading = ""
  private(set) var end = ListEnd()
  private var isGiven = false

  init(
    _ subject: String, status: String, nothing: String, limit: Int?, failure: CommandFailure? = nil,
    title: @escaping @Sendable (_ shown: Int, _ all: Int) -> String,
    load: @escaping @Sendable () async throws -> [Item]
  ) {
    self.subject = subject
    self.status = status
    self.nothing = nothing
    self.limit = limit
    self.failure = failure
    self.title = title
    self.load = load
  }

  mutating func next() async throws -> [Item]? {
    guard !isGiven else {
      if let failure { throw failure }
      return nil
    }
    isGiven = true
    let all = try await load()
    let shown = all.prefix(limit ?? .max)
    heading = title(shown.count, all.count)
    end.limit = shown.count < all.count ? shown.count : nil
    return Array(shown)
  }
}
