internal import IssueMirror
internal import IssueTracker
internal import StyledText

/// Several lists of issues, merged in one order. A row is shown as soon as the order allows it.
///
/// If a list fails, the failure is reported, and the others continue. The exit status is that of the first failure. The
/// shown rows are still correct, and the JSON is valid.
struct MergedIssues: ListSource {
  typealias Part = (name: String, list: any ListSource<IssueRow>)

  /// The maximum number of failures to report one by one.
  private static let maximumTold = 5

  /// The lists in words, such as `3 repositories`.
  let subject: String
  private let form: IssueListForm
  private let notes: IssueListNotes
  /// The names of the lists, for messages about failures.
  private let names: [String]
  /// The results withheld because of single sign-on.
  private let withheld: WithheldResults
  private var merged: MergedLists<IssueRow>
  private var count = 0
  private var isCut = false
  private(set) var heading = ""

  /// Creates a merged list. The filter provides the order, and the state for messages.
  init(
    _ subject: String, _ filter: IssueFilter, _ form: IssueListForm,
    lists: [Part], withheld: WithheldResults
  ) {
    self.subject = subject
    self.form = form
    self.withheld = withheld
    names = lists.map(\.name)
    notes = IssueListNotes(
      filter: filter, limit: form.limit, includesPullRequests: form.includesPullRequests)
    merged = MergedLists(lists.map(\.list)) { filter.precedes($0.issue, $1.issue) }
  }

  var status: String { "Loading the issues of \(subject)" }

  var nothing: String { notes.nothing(in: subject) }

  var followed: [FollowedList] {
    merged.lists.flatMap { ($0 as? any ListSource)?.followed ?? [] }
  }

  mutating func next() async throws -> [IssueRow]? {
    guard !isCut, let rows = try await merged.next() else { return nil }
    let shown = rows.prefix(form.limit.map { $0 - count } ?? .max)
    isCut = shown.count < rows.count
    count += shown.count
    heading = notes.heading(of: subject, count: shown.count, hasMore: true, openCount: nil)
    return Array(shown)
  }

  /// The end. It reports failures in the order of the lists.
  var end: ListEnd {
    var end = ListEnd(limit: isCut ? form.limit : nil)
    let failures = merged.failures.sorted { $0.list < $1.list }
      .map { (list: $0.list, failure: CommandFailure(any: $0.error)) }
    guard let first = failures.first?.failure else {
      // Results withheld by single sign-on are also missing from later responses. The rest of a followed list can
      // change.
      if form.follow == nil { end.failure = withheld.failure } else { end.gap = withheld.failure }
      return end
    }
    var told: Set<String> = []
    let different = failures.filter { told.insert($0.failure.message).inserted }
    // An unreachable network causes the same failure for each list.
    guard different.count > 1 || failures.count < names.count else {
      end.failure = first
      return end
    }
    end.notes = different.prefix(Self.maximumTold).map { list, failure in
      "issues: \(names[list]): \(failure.message)"
    }
    end.failure = CommandFailure(
      first.status,
      "the list is incomplete: \(failures.count) of \(names.count) repositories failed")
    return end
  }
}
