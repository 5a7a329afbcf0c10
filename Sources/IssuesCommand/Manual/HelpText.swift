/// The parsed output of `--help`.
///
/// The manual is made from this text rather than from the parser's dump, which lacks the usage and optional values:
/// `--json [<fields>]`.
struct HelpText: Hashable {
  /// The width, which is large enough that the parser doesn't wrap lines.
  static let columns = 1_000_000

  private static let labelColumns = 26

  private(set) var summary = ""

  private(set) var description: [ManualBlock] = []

  /// The sections of the discussion, such as EXAMPLES.
  private(set) var sections: [ManualSection] = []

  private(set) var usage: [String] = []

  /// The sections of arguments, options by their groups, and subcommands.
  private(set) var lists: [ManualSection] = []

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let usage = lines.firstIndex { $0.hasPrefix("USAGE: ") } ?? lines.endIndex
    readDiscussion(lines[..<usage])
    let lists = lines[usage...].firstIndex(of: "") ?? lines.endIndex
    self.usage = lines[usage..<lists].map { String($0.dropFirst("USAGE: ".count)) }
    readLists(lines[lists...])
  }

  func section(_ title: String) -> ManualSection? { sections.first { $0.title == title } }

  private mutating func readDiscussion(_ lines: ArraySlice<String>) {
    var isInSection = false
    var kept: [String] = []
    func flush(to help: inout HelpText) {
      while kept.last == "" { kept.removeLast() }
      guard !kept.isEmpty else { return }
      defer { kept = [] }
      guard isInSection, let last = help.sections.indices.last else {
        return help.description.append(.lines(kept))
      }
      let entries =
        help.sections[last].title == "EXAMPLES" ? nil : ManualBlock.entries(inColumnsOf: kept)
      help.sections[last].blocks.append(entries ?? .lines(kept))
    }
    for line in lines {
      if line.hasPrefix("  ") {
        kept.append(String(line.dropFirst(2)))
      } else if line.isEmpty {
        if !kept.isEmpty { kept.append("") }
      } else if let title = Self.title(line) {
        flush(to: &self)
        isInSection = true
        sections.append(ManualSection(title: title))
      } else if line.hasPrefix("OVERVIEW: ") {
        summary = String(line.dropFirst("OVERVIEW: ".count))
      } else {
        flush(to: &self)
        if isInSection, let last = sections.indices.last, sections[last].mayGoOn {
          sections[last].blocks.append(.paragraph(line))
        } else {
          // A paragraph after the lines of a section continues the description.
          isInSection = false
          description.append(.paragraph(line))
        }
      }
    }
    flush(to: &self)
  }

  /// Reads lists. An empty line ends a list: the text below the subcommands doesn't belong to any list.
  private mutating func readLists(_ lines: ArraySlice<String>) {
    var isInList = false
    var lines = lines
    while let line = lines.popFirst() {
      if let title = Self.title(line) {
        lists.append(ManualSection(title: title, blocks: [.entries([])]))
        isInList = true
      } else if line.isEmpty {
        isInList = false
      } else if isInList {
        let indent = String(repeating: " ", count: Self.labelColumns)
        var (term, text) = (line[...], ""[...])
        if let next = lines.first, next.hasPrefix(indent) {
          text = next.dropFirst(Self.labelColumns)
          lines.removeFirst()
        } else {
          term = line.prefix(Self.labelColumns)
          text = line.dropFirst(Self.labelColumns)
        }
        lists[lists.count - 1].append(ManualEntry(term: term.trimmed, text: text.trimmed))
      }
    }
  }

  private static func title(_ line: String) -> String? {
    guard line.hasSuffix(":"), line.utf8.first != UInt8(ascii: " ") else { return nil }
    let title = line.dropLast()
    let isTitle = title.utf8.allSatisfy {
      $0 == UInt8(ascii: " ") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    return isTitle && !title.isEmpty ? String(title) : nil
  }
}
