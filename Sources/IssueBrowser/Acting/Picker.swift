internal import IssueTracker

/// A list to choose from, narrowed as the user types.
package struct Picker: Sendable, Hashable {
  static let maximumRows = 12

  package enum Purpose: Sendable, Hashable {
    case closing
    case duplicate
    case labels
    case assignees
    case milestone
    case reaction
    /// The repository of a new issue.
    case repository
    /// One of the user's own commands.
    case command
  }

  package struct Item: Sendable, Hashable {
    let id: String
    var text: String
    var detail = ""
    /// The color of a label as a hexadecimal number.
    var color: String?
  }

  enum Mark: Sendable, Hashable {
    case none
    /// The mark of an item that only some of the issues have.
    case some
    case all
  }

  struct Match: Sendable, Hashable {
    let index: Int
    let ranges: [Range<String.Index>]
  }

  let purpose: Purpose
  let title: String
  /// The name of the action that Enter performs.
  let action: String
  /// The issues that the change applies to, as they were when the question was asked.
  let issues: [ListedIssue]
  var isMultiple = false
  var prompt = "type to narrow"
  private(set) var items: [Item] = []
  var filter = TextField()
  private(set) var matches: [Match] = []
  private(set) var cursor = 0
  /// The marks by item ID; a missing item has ``Mark/none``.
  private(set) var marks: [String: Mark] = [:]
  private(set) var originalMarks: [String: Mark] = [:]
  var isLoading = false
  /// The reason that names are missing, in one line.
  var problem: String?
  /// Whether the picker offers an item for the typed login, if the login is valid.
  var isLogin = false

  init(
    _ purpose: Purpose, _ title: String, action: String, issues: [ListedIssue] = [],
    items: [Item] = []
  ) {
    self.purpose = purpose
    self.title = title
    self.action = action
    self.issues = issues
    show(items)
  }

  var repositories: [RepositoryReference] { issues.map(\.repository).uniqued { "\($0)" } }

  /// The item at the cursor.
  var item: Item? { matches.indices.contains(cursor) ? item(matches[cursor]) : nil }

  func item(_ match: Match) -> Item {
    items.indices.contains(match.index)
      ? items[match.index] : Item(id: filter.text, text: filter.text, detail: "as typed")
  }

  mutating func show(_ items: [Item], marks: [String: Mark] = [:]) {
    let present = item?.id
    self.items = items
    if !marks.isEmpty {
      originalMarks = marks
      self.marks.merge(marks) { own, _ in own }
    }
    narrow()
    if let place = matches.firstIndex(where: { item($0).id == present }) { cursor = place }
  }

  mutating func edit(_ edit: TextField.Edit) {
    let before = filter.text
    filter.edit(edit)
    if filter.text != before { narrow() }
  }

  mutating func move(_ rows: Int) { cursor = max(0, min(cursor + rows, matches.count - 1)) }

  /// Changes the item's mark: from some to all, from all to none, and from none to all.
  mutating func toggle() {
    guard let item else { return }
    let id = item.id
    if matches[cursor].index == items.count { items.insert(Item(id: id, text: item.text), at: 0) }
    marks[id] = marks[id] == .all ? Mark.none : .all
    let place = cursor
    narrow()
    cursor = max(0, min(place, matches.count - 1))
  }

  var isMarkedAnew: Bool { marks.contains { $0.value != originalMarks[$0.key] ?? .none } }

  /// The IDs to add to an issue and to remove from it, according to the changed marks.
  func changes(to names: [String]) -> (added: [String], removed: [String]) {
    let present = Set(names.map { $0.lowercased() })
    let changed = marks.filter { $0.value != originalMarks[$0.key] ?? .none }.keys.sorted()
    return (
      changed.filter { marks[$0] == .all && !present.contains($0.lowercased()) },
      changed.filter { marks[$0] == Mark.none && present.contains($0.lowercased()) }
    )
  }

  private mutating func narrow() {
    cursor = 0
    let scored = items.enumerated().compactMap { index, item in
      FuzzyMatch(of: filter.text, in: item.text).map { (index, $0) }
    }
    // The sort is stable: equally good matches keep their order.
    matches = scored.sorted { ($0.1.penalty, $0.0) < ($1.1.penalty, $1.0) }
      .map { Match(index: $0.0, ranges: $0.1.ranges) }
    // The typed login isn't among the items.
    let typed = filter.text.lowercased()
    if isLogin, Username(filter.text) != nil,
      !items.contains(where: { $0.id.lowercased() == typed })
    {
      matches.append(Match(index: items.count, ranges: []))
    }
  }
}
