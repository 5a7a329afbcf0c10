/// A heading of the manual, with its content.
struct ManualSection: Hashable, Sendable {
  /// The title in capital letters, as in `--help`.
  var title: String
  var blocks: [ManualBlock] = []
  /// The sections of the next level.
  var parts: [ManualSection] = []

  /// Appends to the entries at the end of the section.
  mutating func append(_ entry: ManualEntry) {
    guard case .entries(let entries)? = blocks.last else { return }
    blocks[blocks.count - 1] = .entries(entries + [entry])
  }

  /// Whether the section continues after a paragraph. A section that begins with a paragraph ends at the next heading.
  var mayGoOn: Bool {
    switch blocks.first {
    case nil, .paragraph: true
    case .lines, .entries: false
    }
  }

  var entries: [ManualEntry] {
    blocks.flatMap { block in
      if case .entries(let entries) = block { entries } else { [ManualEntry]() }
    }
  }

  /// The title in sentence case, such as `Exit status`.
  var titleOfSentence: String { title.prefix(1) + title.dropFirst().lowercased() }
}

enum ManualBlock: Hashable, Sendable {
  case paragraph(String)

  /// Lines whose formatting is preserved.
  case lines([String])

  case entries([ManualEntry])

  /// Finds the two columns of lines such as `label:bug    a label`; nil if the lines don't have that format.
  ///
  /// A term that ends in a comma continues in the next line. A line without a term continues the text.
  static func entries(inColumnsOf lines: [String]) -> ManualBlock? {
    let lines = lines.map(Array.init)
    var counts: [Int: Int] = [:]
    for line in lines {
      for index in line.indices.dropFirst(2)
      where line[index] != " " && line[index - 1] == " " && line[index - 2] == " " {
        counts[index, default: 0] += 1
      }
    }
    // Of two equally frequent columns, the right one is used, because a term may contain spaces.
    guard let column = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key,
      lines.allSatisfy({ $0.count <= column || $0[column - 1] == " " })
    else { return nil }
    var entries: [ManualEntry] = []
    for line in lines {
      let term = String(line.prefix(column))[...].trimmed
      let text = String(line.dropFirst(column))
      guard let last = entries.last, term.isEmpty || last.term.hasSuffix(",") else {
        guard !term.isEmpty else { return nil }
        entries.append(ManualEntry(term: term, text: text))
        continue
      }
      entries[entries.count - 1] = ManualEntry(
        term: [last.term, term].joined(separator: term.isEmpty ? "" : " "),
        text: [last.text, text].filter { !$0.isEmpty }.joined(separator: " "))
    }
    return .entries(entries)
  }
}

struct ManualEntry: Hashable, Sendable {
  var term: String
  var text: String
}

extension Substring {
  /// The text without leading and trailing spaces.
  var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
