enum ThreeWayMerge {
  /// Merges what two people have made of a text; nil if they changed the same lines.
  ///
  /// Neighbouring lines count as the same: a person has to read them together. Lines end with LF in the result.
  static func merge(base: String, _ mine: String, _ theirs: String) -> String? {
    let (base, mine, theirs) = (lines(of: base), lines(of: mine), lines(of: theirs))
    let (ours, others) = (hunks(from: base, to: mine), hunks(from: base, to: theirs))
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

  /// Lines `start..<end` of the base, replaced.
  private struct Hunk: Equatable {
    var start: Int
    var end: Int
    var lines: [Substring]

    func touches(_ other: Hunk) -> Bool { start <= other.end && other.start <= end }
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private static func hunks(from base: [Substring], to changed: [Substring]) -> [Hunk] {
    let difference = changed.difference(from: base)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
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
