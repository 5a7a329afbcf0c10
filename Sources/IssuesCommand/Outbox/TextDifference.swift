internal import StyledText

/// The lines that change from one text to another, with a few around them.
struct TextDifference: Hashable, Sendable {
  enum Line: Hashable, Sendable {
    case kept(String)
    case removed(String)
    case added(String)
    case skipped(Int)
  }

  private static let context = 3
  /// Comparing more pairs of lines takes seconds, and nobody reads the result.
  private static let maximumPairs = 4_000_000

  /// Empty for texts with the same lines.
  let lines: [Line]

  /// The ends of lines don't count.
  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    let (oldMiddle, newMiddle) = (
      old[start..<(old.count - end)], new[start..<(new.count - end)]
    )
    let whole =
      old[..<start].map(Line.kept) + Self.changes(from: oldMiddle, to: newMiddle)
      + old.suffix(end).map(Line.kept)
    lines = Self.abridged(whole)
  }

  var styledLines: [StyledLine] {
    lines.map { line in
      switch line {
      case .kept(let text): StyledLine("  \(text)")
      case .removed(let text): StyledLine("- \(text)", style: Style(foreground: .red))
      case .added(let text): StyledLine("+ \(text)", style: Style(foreground: .green))
      case .skipped(let count):
        StyledLine(count == 1 ? "  … 1 line" : "  … \(count) lines", style: .faint)
      }
    }
  }

  private static func lines(of text: String) -> [String] {
    // "\r\n" is one character.
    text.isEmpty
      ? []
      : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  private static func changes(
    from old: ArraySlice<String>, to new: ArraySlice<String>
  ) -> [Line] {
    guard !old.isEmpty, !new.isEmpty, old.count * new.count <= maximumPairs else {
      return old.map(Line.removed) + new.map(Line.added)
    }
    let difference = Array(new).difference(from: Array(old))
    let removed = Set(
      difference.removals.map { if case .remove(let offset, _, _) = $0 { offset } else { 0 } })
    let added = Set(
      difference.insertions.map { if case .insert(let offset, _, _) = $0 { offset } else { 0 } })
    var lines: [Line] = []
    var (oldOffset, newOffset) = (0, 0)
    let (oldLines, newLines) = (Array(old), Array(new))
    while oldOffset < oldLines.count || newOffset < newLines.count {
      if removed.contains(oldOffset), oldOffset < oldLines.count {
        lines.append(.removed(oldLines[oldOffset]))
        oldOffset += 1
      } else if added.contains(newOffset), newOffset < newLines.count {
        lines.append(.added(newLines[newOffset]))
        newOffset += 1
      } else {
        lines.append(.kept(newLines[newOffset]))
        (oldOffset, newOffset) = (oldOffset + 1, newOffset + 1)
      }
    }
    return lines
  }

  /// Leaves out what is far from every change.
  private static func abridged(_ lines: [Line]) -> [Line] {
    let changed = lines.indices.filter { if case .kept = lines[$0] { false } else { true } }
    guard !changed.isEmpty else { return [] }
    var shown: [Line] = []
    var skipped = 0
    var next = changed[...]
    for (index, line) in lines.enumerated() {
      while let first = next.first, first + context < index { next.removeFirst() }
      let isNear = next.first.map { abs($0 - index) <= context } ?? false
      guard !isNear else {
        if skipped > 0 { shown.append(.skipped(skipped)) }
        skipped = 0
        shown.append(line)
        continue
      }
      skipped += 1
    }
    return skipped > 0 ? shown + [.skipped(skipped)] : shown
  }
}
