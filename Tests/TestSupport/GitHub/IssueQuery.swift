/// A request for the list of issues: the filter, the order, and the start of the page.
///
/// It is pure: it takes sorted issues and makes a page. The rules are those of "List repository issues":
/// https://docs.github.com/en/rest/issues/issues#list-repository-issues
struct IssueQuery: Sendable, Equatable {
  /// The order of the list.
  enum Sort: String, Sendable {
    case created
    case updated
    case comments
    /// Only searches know it.
    case reactions
  }

  /// The start of the page.
  enum Start: Sendable, Equatable {
    /// At a page number, from 1.
    case page(Int)
    /// After the item that a cursor names.
    case after(Cursor)
    /// Before the item that a cursor names.
    case before(Cursor)
  }

  /// An item's place in the order, valid wherever the item has moved since.
  struct Cursor: Sendable, Equatable {
    var place: SortedPlaces.Place

    /// The opaque text. GitHub's is Base64 too, and ends in `=`, which must be percent-encoded.
    var text: String { Base64.encode("cursor:v2:\(place.key):\(place.number)") }

    init(_ place: SortedPlaces.Place) {
      self.place = place
    }

    init?(_ text: String) {
      guard let plain = Base64.decode(text), plain.hasPrefix("cursor:v2:") else { return nil }
      let parts = plain.dropFirst("cursor:v2:".count).split(separator: ":")
      guard parts.count == 2, let key = Int(parts[0]), let number = Int(parts[1]) else {
        return nil
      }
      self.init(SortedPlaces.Place(key: key, number: number))
    }
  }

  /// A request that gets a 422.
  struct Invalid: Error {
    var message: String
  }

  /// One page and its neighbours.
  struct Page {
    /// The numbers of its items.
    var numbers: [Int]
    /// The next page's cursor; nil on the last page.
    var next: Cursor?
    /// The previous page's cursor; nil on the first page.
    var previous: Cursor?
    /// The length of the whole list.
    var total: Int
  }

  var state: String = "open"
  var labels: [String] = []
  var assignee: String?
  var creator: String?
  var mentioned: String?
  var milestone: String?
  var type: String?
  /// By the fields' names as the search spells them; both in lower case.
  var fields: [String: String] = [:]
  var since: Int?
  var sort = Sort.created
  var ascending = false
  var perPage = 30
  var start = Start.page(1)
  /// Whether to list only pull requests or only real issues. GraphQL's `issues` lists the latter, REST both.
  var listsPullRequests: Bool?
  /// Words that the title must contain, for searches.
  var words: [String] = []
  /// In lower case; no issue with one of them is listed. Only for searches, like those below.
  var excludedLabels: [String] = []
  var hasLabels: Bool?
  /// The user who is asked to review a pull request.
  var reviewer: String?
  /// In seconds since 1970, each.
  var created: ClosedRange<Int>?
  var updated: ClosedRange<Int>?
  /// Text that the title or the body must contain, or the issue's number. Only for Forgejo, like those below.
  var text: String?
  /// The numbers of the milestones of which the issue must have one.
  var milestones: [Int]?
  /// The names of the labels of which the issue must have one.
  var anyLabels: [String]?

  init() {}

  /// Reads a request's query.
  ///
  /// - Parameters:
  ///   - items: The query.
  ///   - hasCursors: Whether only cursors lead deep into the list.
  /// - Throws: ``Invalid``.
  init(_ items: [LoopbackRequest.QueryItem], hasCursors: Bool = true) throws(Invalid) {
    for item in items where !item.value.isEmpty {
      switch item.name {
      case "state":
        guard ["open", "closed", "all"].contains(item.value) else {
          throw Invalid(message: "Validation Failed")
        }
        state = item.value
      case "labels": labels = item.value.split(separator: ",").map { $0.lowercased() }
      case "assignee": assignee = item.value
      case "creator": creator = item.value
      case "mentioned": mentioned = item.value
      case "milestone":
        guard ["*", "none"].contains(item.value) || Int(item.value) != nil else {
          throw Invalid(message: "Validation Failed")
        }
        milestone = item.value
      case "type": type = item.value
      case "issue_field_values":
        for choice in item.value.lowercased().split(separator: ",") {
          let parts = choice.split(separator: ":", maxSplits: 1).map(String.init)
          guard parts.count == 2 else { throw Invalid(message: "Validation Failed") }
          fields[parts[0]] = parts[1]
        }
      case "since":
        guard let seconds = Timestamp.seconds(item.value) else {
          throw Invalid(message: "Validation Failed")
        }
        since = seconds
      case "sort":
        let known = Sort(rawValue: item.value) ?? .created
        sort = known == .reactions ? .created : known
      case "direction": ascending = item.value == "asc"
      case "per_page": perPage = min(max(Int(item.value) ?? 30, 1), 100)
      case "page": if case .page = start { start = .page(max(Int(item.value) ?? 1, 1)) }
      case "after", "before":
        guard hasCursors else { break }
        guard let cursor = Cursor(item.value) else {
          throw Invalid(message: "Invalid cursor")
        }
        start = item.name == "after" ? .after(cursor) : .before(cursor)
      default: break
      }
    }
    // Observed on github.com: page 100 of 100 is refused, page 99 isn't.
    if hasCursors, case .page(let page) = start, page > 1, page >= 10_000 / perPage {
      throw Invalid(
        message: "Pagination with the page parameter is not supported for large datasets, "
          + "please use cursor based pagination (after/before)")
    }
  }

  /// The key of an order: everything in the query but the requested part.
  var orderKey: String {
    """
    \(state)|\(labels)|\(assignee ?? "-")|\(creator ?? "-")|\(mentioned ?? "-")|\(milestone ?? "-")|\
    \(sort == .updated ? -1 : since ?? -1)|\(sort)|\(listsPullRequests.map { "\($0)" } ?? "-")|\(words)|\
    \(excludedLabels)|\(hasLabels.map { "\($0)" } ?? "-")|\(created.map { "\($0)" } ?? "-")|\
    \(updated.map { "\($0)" } ?? "-")|\(text ?? "-")|\(milestones ?? [])|\(anyLabels ?? [])|\(reviewer ?? "-")|\(type ?? "-")|\(fields.sorted { $0.key < $1.key })
    """
  }

  /// An issue's place in the order; nil if it isn't in it.
  ///
  /// In the order of changes, ``since`` only marks the list's beginning. In others, it limits the order's
  /// content.
  func place(of issue: SyntheticIssue) -> SortedPlaces.Place? {
    guard matches(issue) else { return nil }
    let key =
      switch sort {
      case .created: issue.createdAt
      case .updated: issue.updatedAt
      case .comments: issue.comments
      case .reactions: issue.reactionCount
      }
    return SortedPlaces.Place(key: key, number: issue.number)
  }

  /// Cuts the requested page out of the order.
  func page(of order: SortedPlaces) -> Page {
    var list = SortedPlaces.Window(order: order, isAscending: ascending)
    if sort == .updated, let since {
      list.first = order.count(before: SortedPlaces.Place(key: since, number: .min))
    }
    let range: Range<Int>
    switch start {
    case .page(let page):
      let begin = min((page - 1) * perPage, list.count)
      range = begin..<min(begin + perPage, list.count)
    case .after(let cursor):
      let begin = list.position(of: cursor.place, behind: true)
      range = begin..<min(begin + perPage, list.count)
    case .before(let cursor):
      let end = list.position(of: cursor.place, behind: false)
      range = max(end - perPage, 0)..<end
    }
    let places = list.places(range)
    return Page(
      numbers: places.map(\.number),
      next: range.upperBound < list.count ? places.last.map(Cursor.init) : nil,
      previous: range.lowerBound > 0 ? places.first.map(Cursor.init) : nil,
      total: list.count
    )
  }

  private func matches(_ issue: SyntheticIssue) -> Bool {
    if let listsPullRequests, issue.isPullRequest != listsPullRequests { return false }
    if state != "all", issue.isOpen != (state == "open") { return false }
    if sort != .updated, let since, issue.updatedAt < since { return false }
    for label in labels where !issue.labels.contains(where: { $0.name.lowercased() == label }) {
      return false
    }
    if issue.labels.contains(where: { excludedLabels.contains($0.name.lowercased()) }) {
      return false
    }
    if let hasLabels, issue.labels.isEmpty == hasLabels { return false }
    if let created, !created.contains(issue.createdAt) { return false }
    if let updated, !updated.contains(issue.updatedAt) { return false }
    if let creator, issue.author.lowercased() != creator.lowercased() { return false }
    if let reviewer, !issue.reviewers.contains(where: { $0.lowercased() == reviewer.lowercased() })
    {
      return false
    }
    if let mentioned, !issue.mentions.contains(mentioned) { return false }
    for word in words where !issue.title.lowercased().contains(word.lowercased()) {
      return false
    }
    if let text {
      let isFound = [issue.title, issue.body ?? ""].contains {
        $0.lowercased().contains(text.lowercased())
      }
      guard isFound || Int(text) == issue.number else { return false }
    }
    if let milestones, !milestones.contains(where: { $0 == issue.milestone }) { return false }
    if let anyLabels, !issue.labels.contains(where: { anyLabels.contains($0.name) }) {
      return false
    }
    switch assignee {
    case nil: break
    case "none": if !issue.assignees.isEmpty { return false }
    case "*": if issue.assignees.isEmpty { return false }
    case let login?:
      guard issue.assignees.contains(where: { $0.lowercased() == login.lowercased() }) else {
        return false
      }
    }
    switch type {
    case nil: break
    case "none": if issue.type != nil { return false }
    case "*": if issue.type == nil { return false }
    case let name?: if issue.type?.lowercased() != name.lowercased() { return false }
    }
    for (name, value) in fields where !SyntheticIssueField.matches(name, value, issue.fields) {
      return false
    }
    switch milestone {
    case nil: return true
    case "none": return issue.milestone == nil
    case "*": return issue.milestone != nil
    case let number?: return issue.milestone.map(String.init) == number
    }
  }
}
