internal import IssueTracker

/// A list to choose from, narrowed as the user types.
package struct Picker: Sendable, Hashable {
  static let maximumRows = 12

  package enum Purpose: Sendable, Hashable {
    case closing
    case duplicate
  }

  struct Item: Sendable, Hashable {
    let id: String
    var text: String
    var detail = ""
    /// Of a label, in hexadecimal.
    var color: String?
  }

  enum Mark: Sendable, Hashable {
    case none
    /// On some of the issues.
    case some
    case all
  }

  struct Match: Sendable, Hashable {
    let index: Int
    let ranges: [Range<String.Index>]
  }

  let purpose: Purpose
  let title: String
  /// What Enter does.
  let action: String
  /// What it is about, as it was when the question was asked.
  let issues: [Issue]
  let repository: RepositoryReference
  var isMultiple = false
  var prompt = "type to narrow"
  private(set) var items: [Item] = []
  var filter = TextField()
  private(set) var matches: [Match] = []
  private(set) var cursor = 0
  /// By id; an item without one has ``Mark/none``.
  private(set) var marks: [String: Mark] = [:]
  private(set) var originalMarks: [String: Mark] = [:]
  var isLoading = false

  init(
    _ purpose: Purpose, _ title: String, action: String, issues: [Issue],
    in repository: RepositoryReference, items: [Item] = []
  ) {
    self.purpose = purpose
    self.title = title
    self.action = action
    self.issues = issues
    self.repository = repository
    show(items)
  }

  /// The item at the cursor.
  var item: Item? { matches.indices.contains(cursor) ? items[matches[cursor].index] : nil }

  mutating func show(_ items: [Item], marks: [String: Mark] = [:]) {
    let present = item?.id
    self.items = items
    originalMarks = marks
    self.marks.merge(marks) { own, _ in own }
    narrow()
    if let place = matches.firstIndex(where: { items[$0.index].id == present }) { cursor = place }
  }

  mutating func edit(_ edit: TextField.Edit) {
    let before = filter.text
    filter.edit(edit)
    if filter.text != before { narrow() }
  }

  mutating func move(_ rows: Int) { cursor = max(0, min(cursor + rows, matches.count - 1)) }

  /// From some to all, from all to none, from none to all.
  mutating func toggle() {
    guard let id = item?.id else { return }
    marks[id] = marks[id] == .all ? Mark.none : .all
  }

  private mutating func narrow() {
    cursor = 0
    let scored = items.enumerated().compactMap { index, item in
      FuzzyMatch(of: filter.text, in: item.text).map { (index, $0) }
    }
    // Stable: equally good matches keep their order.
    matches = scored.sorted { ($0.1.penalty, $0.0) < ($1.1.penalty, $1.0) }
      .map { Match(index: $0.0, ranges: $0.1.ranges) }
  }
}

/// The letters of a query in a text, in their order and ignoring case.
struct FuzzyMatch: Sendable, Hashable {
  let ranges: [Range<String.Index>]
  /// 0 for the best match: the letters together, at the beginning.
  let penalty: Int

  init?(of query: String, in text: String) {
    let letters = query.lowercased().filter { !$0.isWhitespace }
    guard !letters.isEmpty else {
      (ranges, penalty) = ([], 0)
      return
    }
    // A run of letters is found wherever it begins; scattered letters from the first one on.
    if let range = text.range(ofLetters: letters) {
      ranges = [range]
      let isWordStart =
        range.lowerBound == text.startIndex
        || !(text[text.index(before: range.lowerBound)].isLetter)
      penalty = range.lowerBound == text.startIndex ? 0 : isWordStart ? 1 : 2
      return
    }
    var found: [Range<String.Index>] = []
    var gaps = 0
    var rest = letters[...]
    var place = text.startIndex
    while let letter = rest.first {
      guard place < text.endIndex else { return nil }
      let next = text.index(after: place)
      if text[place].lowercased() == String(letter) {
        rest.removeFirst()
        if let last = found.last, last.upperBound == place {
          found[found.count - 1] = last.lowerBound..<next
        } else {
          found.append(place..<next)
        }
      } else if !found.isEmpty {
        gaps += 1
      }
      place = next
    }
    (ranges, penalty) = (found, 3 + gaps)
  }
}

extension String {
  /// Letters in lower case without blanks, one after the other. Blanks between them don't count.
  fileprivate func range(ofLetters letters: String) -> Range<String.Index>? {
    for start in indices where !self[start].isWhitespace {
      var (place, rest) = (start, letters[...])
      while let letter = rest.first, place < endIndex {
        if self[place].isWhitespace {
          place = index(after: place)
          continue
        }
        guard self[place].lowercased() == String(letter) else { break }
        rest.removeFirst()
        place = index(after: place)
      }
      if rest.isEmpty { return start..<place }
    }
    return nil
  }
}
