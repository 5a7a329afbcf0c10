import PlatformModules
import StyledText
import TestSupport
import TestTraits
import Testing

@testable import IssuesCommand

@Suite("Fuzzed text on a terminal", .tags(.heavy), .timeLimit(.minutes(10)))
struct TerminalFuzzTests {
  private static let corpus = HostileText.examples.map(\.text) + HostileText.samples

  private static func text(using source: inout FuzzSource) -> String {
    switch source.below(3) {
    case 0: source.text(upTo: 60)
    case 1: HostileText.random(using: &source)
    default: source.mutation(of: corpus, upTo: 2_000)
    }
  }

  /// The text without the styles that the command itself writes.
  private static func unstyled(_ text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*m/.matchingSemantics(.unicodeScalar), with: "")
  }

  @Test("escaping removes every control character and doesn't change its own result")
  func terminalText() {
    let failure = FuzzTest("terminal text", iterations: 500).run { source in
      let raw = Self.text(using: &source)
      let shown = TerminalText(raw)
      try check(HostileText.dangers(in: shown.string).isEmpty, raw.debugDescription)
      try check(!shown.string.unicodeScalars.contains(where: TerminalText.isConcealed), "\(raw)")
      try check(TerminalText(shown.string) == shown, raw.debugDescription)
      // An escape has ten characters at most.
      try check(shown.string.unicodeScalars.count <= raw.unicodeScalars.count * 10, "\(raw)")
    }
    #expect(failure == nil)
  }

  @Test("escaped JSON keeps every character and doesn't contain control characters")
  func json() {
    let failure = FuzzTest("JSON text", iterations: 500).run { source in
      let raw = Self.text(using: &source)
      let object = [source.text(upTo: 3): [raw]]
      let escaped = JSONText.escaped(try JSONEncoder().encode(object))
      let text = String(decoding: escaped, as: UTF8.self)
      try check(HostileText.dangers(in: text).isEmpty, raw.debugDescription)
      let read = try JSONDecoder().decode([String: [String]].self, from: Data(escaped))
      try check(read == object, raw.debugDescription)
      try check(read.values.first?.first.map { Array($0.utf8) } == Array(raw.utf8), "\(raw)")
    }
    #expect(failure == nil)
  }

  @Test("escaping any JSON bytes removes every control character")
  func jsonBytes() {
    let failure = FuzzTest("JSON bytes", iterations: 500).run { source in
      // As an encoder gives them: without C0 controls.
      let bytes = source.bytes(upTo: 200).filter { $0 >= 0x20 }
      let text = String(decoding: JSONText.escaped(bytes), as: UTF8.self)
      try check(HostileText.dangers(in: text).isEmpty, "\(bytes)")
    }
    #expect(failure == nil)
  }

  @Test("truncated or padded text fits into the requested width")
  func widths() {
    let failure = FuzzTest("widths", iterations: 300).run { source in
      let text = TerminalText(Self.text(using: &source)).string
      let limit = source.length(upTo: 100)
      let columns = DisplayWidth.columns(of: text)
      try check(columns >= 0, text.debugDescription)
      let cut = DisplayWidth.truncated(text, to: limit)
      try check(DisplayWidth.columns(of: cut) <= limit, "\(text.debugDescription) to \(limit)")
      try check(columns > limit || cut == text, "\(text.debugDescription) to \(limit)")
      let start = DisplayWidth.prefix(of: text, within: limit)
      try check(text.hasPrefix(start) || start.isEmpty, text.debugDescription)
      try check(DisplayWidth.columns(of: start) <= limit, "\(text.debugDescription) to \(limit)")
      for alignment in [DisplayWidth.Alignment.leading, .trailing] {
        let padded = DisplayWidth.padded(cut, to: limit, alignment: alignment)
        try check(
          DisplayWidth.columns(of: padded) == limit, "\(text.debugDescription) to \(limit)")
      }
    }
    #expect(failure == nil)
  }

  private static func cell(using source: inout FuzzSource) -> StyledLine {
    let styles = [Style.plain, .open, .faint, .columnTitle, .label("ff0000"), .label("\u{1B}[2J")]
    guard source.once(in: 3) else {
      return StyledLine(text(using: &source), style: source.pick(styles))
    }
    return StyledLine(
      list: (0..<source.below(6)).map { _ in
        StyledLine.Run(text(using: &source), style: source.pick(styles))
      })
  }

  @Test("a truncated cell has its reported width in every color mode")
  func cells() {
    let failure = FuzzTest("cells", iterations: 500).run { source in
      let cell = Self.cell(using: &source)
      let limit = source.length(upTo: 60)
      let mode = source.pick([ColorMode.none, .basic, .palette, .trueColor])
      let (text, columns) = cell.rendered(in: mode, cutTo: limit)
      let unstyled = Self.unstyled(text)
      let plain = try HostileText.withoutIsolates(unstyled)
      try check(columns <= limit, "\(cell) to \(limit)")
      try check(HostileText.dangers(in: plain).isEmpty, "\(cell)")
      try check(mode > .none || unstyled == text, "\(cell)")
      // Clusters may join over the border of two runs, which makes a line narrower, never wider.
      try check(DisplayWidth.columns(of: plain) <= limit, "\(cell) to \(limit)")
    }
    #expect(failure == nil)
  }

  @Test("a line of tab-separated values has no control characters except its tabs and line feed")
  func separated() {
    let failure = FuzzTest("TSV", iterations: 400).run { source in
      let cells = (0...source.below(6)).map { _ in Self.cell(using: &source) }
      let mode = source.pick([ColorMode.none, .trueColor])
      let line = Self.unstyled(TSV(color: mode).line(cells))
      try check(line.utf8.count { $0 == 0x09 } == cells.count - 1, line.debugDescription)
      try check(line.utf8.count { $0 == 0x0A } == 1, line.debugDescription)
      let others = HostileText.dangers(in: line).filter { $0 != "\t" && $0 != "\n" }
      try check(others.isEmpty, line.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("table lines are never wider than the terminal")
  func tables() {
    let failure = FuzzTest("tables", iterations: 400).run { source in
      let width = 1 + source.length(upTo: 120)
      let sizings = [Column.Sizing.whole, .limited(percent: source.below(101)), .whole]
      let columns =
        sizings.map { sizing in
          Column(
            title: source.text(upTo: 3).filter { $0.isASCII && !$0.isNewline && $0.isLetter },
            alignment: source.once(in: 2) ? .leading : .trailing, sizing: sizing,
            dropOrder: source.once(in: 2) ? source.below(3) : nil)
        } + [Column(title: "LAST", sizing: .flexible(minimum: source.below(30)))]
      var table = Table(columns: columns, width: width, color: source.pick([.none, .basic]))
      for _ in 0..<2 {
        let rows = (0..<source.below(4)).map { _ in
          columns.dropLast(source.below(3)).map { _ in Self.cell(using: &source) }
        }
        let page = Self.unstyled(table.page(rows))
        for line in try page.split(separator: "\n").map({ try HostileText.withoutIsolates($0) }) {
          try check(
            DisplayWidth.columns(of: line) <= width, "\(line.debugDescription) in \(width)")
          try check(HostileText.dangers(in: line).isEmpty, line.debugDescription)
        }
      }
    }
    #expect(failure == nil)
  }

  @Test("standard error contains lines of limited length without secrets and controls")
  func errors() throws {
    let secret = "ghp_SeCrEtSeCrEt"
    let failure = FuzzTest("messages", iterations: 100).run { source in
      let file = try ScratchFile()
      let message = source.mutation(
        of: ["line\nline", "a \(secret) b\(secret)", Self.text(using: &source)],
        words: [secret, "\n", "\r\n", "\u{301}", "["], upTo: 20_000)
      ErrorOutput(
        descriptor: file.descriptor, color: source.pick([.none, .basic]), secrets: [secret]
      ).write(message, style: source.pick([.plain, .faint]))
      let written = Self.unstyled(file.contents)
      // Compared by bytes, like a search for the secret.
      try check(written.utf8.firstRange(of: secret.utf8) == nil, message.debugDescription)
      let dangers = HostileText.dangers(in: written).filter { $0 != "\n" }
      try check(dangers.isEmpty, message.debugDescription)
      for line in written.unicodeScalars.split(separator: "\n") {
        // Each scalar may be an escape of ten.
        try check(line.count <= 10_001, message.debugDescription)
      }
    }
    #expect(failure == nil)
  }

  @Test("any time can be formatted")
  func times() {
    let failure = FuzzTest("relative times", iterations: 300).run { source in
      let seconds = [
        Double(bitPattern: source.next()), Double(Int64(truncatingIfNeeded: source.next())),
        Double(source.number(in: -100_000_000...100_000_000)),
      ]
      let (date, now) = (
        Date(timeIntervalSince1970: source.pick(seconds)),
        Date(timeIntervalSince1970: source.pick(seconds))
      )
      for text in [
        RelativeTime.describe(date, relativeTo: now), RelativeTime.until(date, from: now),
      ] {
        try check(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(date) \(now)")
        try check(!text.contains("-"), text)
      }
    }
    #expect(failure == nil)
  }

  @Test("the cost of formatting a title grows linearly with its length")
  func length() throws {
    let file = try ScratchFile()
    for piece in [
      "x", "\u{1B}", "\r", "\r\n", "\u{301}", "\u{200D}", "👨‍👩‍👧", "🇩🇪", "中", "\u{202E}", "\u{E0041}",
      "한",
      "e\u{301}", "\u{FE0F}", "ghp_SeCrEt", "\n", "\u{1F3FD}",
    ] {
      let text = String(repeating: piece, count: FuzzTest.longLength / piece.utf8.count)
      let cell = StyledLine(text)
      _ = cell.rendered(in: .trueColor, cutTo: 80)
      _ = cell.rendered(in: .none, cutTo: 1_000_000)
      _ = TSV().line([cell, cell])
      _ = DisplayWidth.truncated(TerminalText(text).string, to: 20)
      _ = JSONText.escaped(Array("\"\(text)\"".utf8))
      ErrorOutput(descriptor: file.descriptor, secrets: ["ghp_SeCrEt"]).write(text)
    }
  }
}
