internal import IssueTracker
internal import StyledText

/// A list from a server, from its search or from the mirror, or several merged lists. It consists of pages of rows,
/// followed by the end of the list.
///
/// It doesn't return more rows than its limit, and throws if it breaks off.
protocol ListSource<Item>: MergedList where Item: ListItem {
  /// The list's name, such as `apple/swift`.
  var subject: String { get }

  /// The current activity, such as `Loading the issues of apple/swift`.
  var status: String { get }

  /// The heading above a table's first page. It is known once that page is loaded.
  var heading: String { get }

  /// The message for an empty list.
  var nothing: String { get }

  /// The end of the list, known after the last page.
  var end: ListEnd { get }

  /// The lists whose changes can be requested, known after the last page.
  var followed: [FollowedList] { get }
}

extension ListSource {
  var followed: [FollowedList] { [] }

  /// Writes the rows as they arrive, and reports how the list ended. `goesOn` is true if the status line is still
  /// needed.
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
  /// Shows the list, and follows its changes if requested.
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

/// The end of a list: whether it is complete, and if not, the reason.
///
/// Every output format reports it through ``ListWriter/finish(_:nothing:)``.
struct ListEnd: Sendable {
  /// The limit, if there are more rows.
  var limit: Int?
  /// The total number of rows; nil if it isn't known.
  var total: Int?
  /// The number of rows at which a search ended, if it has more.
  var reach: Int?
  /// Other notes to the user.
  var notes: [String] = []
  /// The failure that caused a gap in a followed list.
  var gap: CommandFailure?
  /// The reason that the list is incomplete, although all of it was requested. The rows are still correct, and the JSON
  /// is valid.
  var failure: CommandFailure?
}

/// A list whose rows arrive all at once.
struct WholeList<Item: ListItem>: ListSource {
  let subject: String
  let status: String
  let nothing: String
  let limit: Int?
  /// Returns the heading for the number of shown rows and the total.
  let title: @Sendable (_ shown: Int, _ all: Int) -> String
  /// The reason that rows are missing; nil if the list is complete.
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
