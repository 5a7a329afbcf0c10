internal import IssueOutbox
internal import StyledText

/// The lines that differ between two versions of text, with a few lines of context.
struct TextDifference: Hashable, Sendable {
  enum Line: Hashable, Sendable {
    case kept(String)
    case removed(String)
    case added(String)
    case skipped(Int)
  }

  private static let context = 3

  /// The lines; empty if the versions have the same lines.
  let lines: [Line]

  /// Compares two versions. Line endings are ignored.
  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    let whole = Self.changes(from: old, to: new)
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

  private static func lines(of text: String) -> [Substring] {
    text.isEmpty ? [] : ThreeWayMerge.lines(of: text)
  }

  private static func changes(from old: [Substring], to new: [Substring]) -> [Line] {
    guard let difference = LineDifference(from: old, to: new) else {
      return old.map { .removed(String($0)) } + new.map { .added(String($0)) }
    }
    var lines: [Line] = []
    var (oldOffset, newOffset) = (0, 0)
    while oldOffset < old.count || newOffset < new.count {
      if difference.removed.contains(oldOffset) {
        lines.append(.removed(String(old[oldOffset])))
        oldOffset += 1
      } else if difference.inserted.contains(newOffset) {
        lines.append(.added(String(new[newOffset])))
        newOffset += 1
      } else {
        lines.append(.kept(String(new[newOffset])))
        (oldOffset, newOffset) = (oldOffset + 1, newOffset + 1)
      }
    }
    return lines
  }

  /// The lines without those that are far from any change.
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
