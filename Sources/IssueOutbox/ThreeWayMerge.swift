package enum ThreeWayMerge {
  /// Merges two users' versions of text; nil if they changed the same lines, or too many lines.
  ///
  /// Adjacent lines count as the same, because a user has to read them together. Lines in the result end with LF.
  static func merge(base: String, _ mine: String, _ theirs: String) -> String? {
    let (base, mine, theirs) = (lines(of: base), lines(of: mine), lines(of: theirs))
    if areSame(base, theirs) || areSame(mine, theirs) { return mine.joined(separator: "\n") }
    if areSame(base, mine) { return theirs.joined(separator: "\n") }
    guard let ours = hunks(from: base, to: mine), let others = hunks(from: base, to: theirs) else {
      return nil
    }
    var result: [Substring] = []
    var position = 0
    var (first, second) = (ours[...], others[...])
    while let next = [first.first, second.first].compactMap(\.self).min(by: { $0.start < $1.start })
    {
      let hunk: Hunk
      if let left = first.first, let right = second.first, left.touches(right) {
        guard left == right else { return nil }
        hunk = left
        first.removeFirst()
        second.removeFirst()
      } else {
        hunk = next
        if first.first == next { first.removeFirst() } else { second.removeFirst() }
      }
      result += base[position..<hunk.start] + hunk.lines
      position = hunk.end
    }
    return (result + base[position...]).joined(separator: "\n")
  }

  /// A replacement for lines `start..<end` of the base.
  private struct Hunk: Equatable {
    var start: Int
    var end: Int
    var lines: [Substring]

    func touches(_ other: Hunk) -> Bool { start <= other.end && other.start <= end }
  }

  /// The lines of text. CRLF is one character. U+2028 and similar separators don't end a line.
  package static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  private static func areSame(_ lines: [Substring], _ others: [Substring]) -> Bool {
    lines.elementsEqual(others) { $0.utf8.elementsEqual($1.utf8) }
  }

  private static func hunks(from base: [Substring], to changed: [Substring]) -> [Hunk]? {
    guard let difference = LineDifference(from: base, to: changed) else { return nil }
    let (removed, inserted) = (difference.removed, difference.inserted)
    var hunks: [Hunk] = []
    var (old, new) = (0, 0)
    while old < base.count || new < changed.count {
      let start = (old, new)
      while removed.contains(old) { old += 1 }
      while inserted.contains(new) { new += 1 }
      guard (old, new) != start else {
        (old, new) = (old + 1, new + 1)
        continue
      }
      hunks.append(Hunk(start: start.0, end: old, lines: Array(changed[start.1..<new])))
    }
    return hunks
  }
}
