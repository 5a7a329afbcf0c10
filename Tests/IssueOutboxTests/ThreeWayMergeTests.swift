import TestSupport
import Testing

@testable import IssueOutbox

@Suite("Three-way merges")
struct ThreeWayMergeTests {
  @Test(
    "changes to different lines are merged, and other changes conflict",
    arguments: [
      // base, mine, theirs, merged
      ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"),
      ("a\nb\nc", "a\nb\nC", "A\nb\nc", "A\nb\nC"),
      ("a\nb\nc\nd", "a\nd", "a\nb\nc\nd\ne", "a\nd\ne"),
      ("a\nb\nc", "x\na\nb\nc", "a\nb\nc\ny", "x\na\nb\nc\ny"),
      // Both the same.
      ("a\nb\nc", "a\nB\nc", "a\nB\nc", "a\nB\nc"),
      ("a\nb\nc\nd\ne", "A\nb\nc\nd\nE", "A\nb\nc\nd\ne", "A\nb\nc\nd\nE"),
      // Only one.
      ("a\nb", "a\nb", "x", "x"), ("a\nb", "x", "a\nb", "x"), ("", "", "", ""),
      ("", "mine", "", "mine"),
      // The same lines, or side by side.
      ("a\nb\nc", "a\nX\nc", "a\nY\nc", nil), ("a\nb", "A\nb", "a\nB", nil),
      ("a\nb", "a\nx\nb", "a\ny\nb", nil), ("a", "", "b", nil), ("", "mine", "theirs", nil),
      ("a\nb\nc", "a\nc", "a\nB\nc", nil),
      // Ends of lines are no change.
      ("a\r\nb\r\nc", "a\nb\nC", "A\r\nb\r\nc", "A\nb\nC"),
      // U+2028, U+0085, VT and FF end no line.
      (
        "a\u{2028}b\u{B}\nc\nd\u{C}\u{85}", "a\u{2028}b\u{B}\nc\nD",
        "A\u{2028}b\u{B}\nc\nd\u{C}\u{85}",
        "A\u{2028}b\u{B}\nc\nD"
      ),
      // Another normalization is a change.
      ("\u{E9}\nb\nc", "e\u{301}\nb\nc", "\u{E9}\nb\nC", "e\u{301}\nb\nC"),
    ] as [(String, String, String, String?)])
  func merges(base: String, mine: String, theirs: String, merged: String?) {
    let result = ThreeWayMerge.merge(base: base, mine, theirs)
    #expect(result.map { Array($0.utf8) } == merged.map { Array($0.utf8) })
  }

  @Test("text of 32,768 lines is merged with few changes, and too many changes conflict")
  func large() {
    func text(_ line: (Int) -> Int) -> String {
      (0..<32_768).map { "\(line($0))" }.joined(separator: "\n")
    }
    let base = text { $0 % 7 }
    let theirs = text { $0 == 16_000 ? 8 : $0 % 7 }
    #expect(ThreeWayMerge.merge(base: base, "x\n\(base)\ny", theirs) == "x\n\(theirs)\ny")
    // Comparing these line by line took minutes.
    #expect(ThreeWayMerge.merge(base: base, text { $0 % 5 }, text { $0 % 3 }) == nil)
    #expect(ThreeWayMerge.merge(base: base, base, text { $0 % 3 }) == text { $0 % 3 })
  }

  @Test("the line difference is as small as the standard library's")
  func fewest() throws {
    var random = FuzzSource(seed: 48)
    for _ in 0..<2_000 {
      func lines() -> [Substring] { (0..<random.below(9)).map { _ in "\(random.below(4))" } }
      let (old, new) = (lines(), lines())
      let difference = try #require(LineDifference(from: old, to: new))
      let kept = old.indices.filter { !difference.removed.contains($0) }.map { old[$0] }
      #expect(
        kept == new.indices.filter { !difference.inserted.contains($0) }.map { new[$0] })
      #expect(
        difference.removed.count + difference.inserted.count == new.difference(from: old).count)
    }
  }

  @Test("a merge of random changes includes both sides, in either order")
  func random() {
    var random = FuzzSource(seed: 16)
    for _ in 0..<2_000 {
      let base = (0..<random.below(12)).map { "line \($0)" }
      func changed(_ mark: String) -> [String] {
        base.flatMap { line in
          switch random.below(8) {
          case 0: [String]()
          case 1: ["\(line) \(mark)"]
          case 2: [line, "\(mark) after \(line)"]
          default: [line]
          }
        }
      }
      let (mine, theirs) = (changed("mine"), changed("theirs"))
      func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }
      let merged = ThreeWayMerge.merge(base: text(base), text(mine), text(theirs))
      #expect(merged == ThreeWayMerge.merge(base: text(base), text(theirs), text(mine)))
      guard let merged else { continue }
      let lines = Set(merged.split(separator: "\n").map(String.init))
      for line in base {
        let isKept = mine.contains(line) && theirs.contains(line)
        #expect(lines.contains(line) == isKept, "\(base) \(mine) \(theirs) \(merged)")
      }
      for line in mine + theirs where !base.contains(line) { #expect(lines.contains(line)) }
    }
  }
}
