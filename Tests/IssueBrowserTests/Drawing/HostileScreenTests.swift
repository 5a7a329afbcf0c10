import GitHubAPI
import IssueTracker
import PlatformModules
import StyledText
import TerminalMarkdown
import TestSupport
import TestTraits
import Testing

@testable import IssueBrowser
@testable import TerminalScreen

@Suite("Hostile text in the browser", .tags(.heavy), .ownThread, .timeLimit(.minutes(5)))
struct HostileScreenTests {
  /// Checks that no cell has anything that a terminal obeys, and that each row is as wide as the window.
  private func check(_ canvas: Canvas, of size: ScreenSize) throws(Mismatch) {
    try TestSupport.check(canvas.size == size, "\(canvas.size)")
    try TestSupport.check(canvas.cells.count == size.columns * size.rows, "\(canvas.cells.count)")
    for row in 0..<size.rows {
      let cells = Array(canvas[row: row])
      for (column, cell) in cells.enumerated() {
        let scalars = cell.text.unicodeScalars
        try TestSupport.check(
          !scalars.contains { $0.value < 0x20 || TerminalText.isConcealed($0) },
          "\(cell.text.debugDescription) in row \(row)")
        if cell.text.isEmpty {
          let left = column > 0 ? cells[column - 1].text : ""
          try TestSupport.check(
            DisplayWidth.columns(of: left.first ?? " ") == 2, "half of nothing in row \(row)")
        } else {
          let isWide = column + 1 < cells.count && cells[column + 1].text.isEmpty
          if ScreenCharacter.isCluster(cell.text) {
            try TestSupport.check(isWide, "\(cell.text.debugDescription) is narrow in row \(row)")
            continue
          }
          let base = try scalars.first.orMismatch("nothing in row \(row)")
          let width = DisplayWidth.columns(of: Character(base))
          try TestSupport.check(
            width == (isWide ? 2 : 1),
            "\(cell.text.debugDescription) takes \(width) columns in row \(row)")
          try TestSupport.check(
            scalars.dropFirst().allSatisfy { DisplayWidth.columns(of: Character($0)) == 0 },
            "\(cell.text.debugDescription) is several in row \(row)")
        }
      }
    }
    if let cursor = canvas.cursor {
      try TestSupport.check(cursor.column < size.columns && cursor.row < size.rows, "cursor")
    }
  }

  /// A state with random texts and a random size.
  private func state(using source: inout FuzzSource) throws -> BrowserState {
    let size = ScreenSize(
      columns: source.once(in: 3) ? source.number(in: 1...24) : source.number(in: 1...210),
      rows: source.once(in: 3) ? source.number(in: 1...6) : source.number(in: 1...60))
    var state = BrowserState(
      size: size, now: SampleStates.now, host: source.pick(["github.com", source.text()]))
    state.pane = source.pick([.search, .list, .reader])
    state.search.field = TextField(source.text(upTo: 80))
    state.list.isLoading = source.once(in: 2)
    state.spinner = source.number(in: -5...1_000)
    state.list.cursor.selection = source.number(in: -2...40)
    state.list.cursor.top = source.number(in: -2...40)
    state.message = source.once(in: 3) ? source.text() : nil
    state.help = source.once(in: 6) ? KeyHelp() : nil
    if source.once(in: 4) {
      state.filter.field = TextField(source.text())
      state.filter.problem = source.once(in: 2) ? source.text() : nil
    }
    if source.once(in: 3) {
      let query = source.text(upTo: 3)
      let predictions = (0..<source.below(12)).map { _ in
        let text = source.text()
        return Prediction(text, matching: query, by: .anywhere) ?? Prediction(text)
      }
      state.search.completions = Completions(
        predictions: predictions, selection: source.once(in: 2) ? source.below(14) : nil)
    }
    state.list.content = try content(using: &source)
    if source.once(in: 2) {
      var reader = ReaderState(issue: issue(1, using: &source))
      reader.document = RenderedDocument(
        lines: (0..<source.below(80)).map { _ in StyledLine(source.text()) })
      reader.top = source.number(in: -2...90)
      reader.isLoading = source.once(in: 2)
      if source.once(in: 4) { reader.standing = .failed(source.text()) }
      state.reader = reader
    }
    return state
  }

  private func content(using source: inout FuzzSource) throws -> ListState.Content {
    switch source.below(3) {
    case 0: return .nothing
    case 1:
      var found = RepositorySearchState(query: source.text())
      let repositories = (0..<source.below(40)).map { index in
        GitHub.Repository(
          id: Int64(index), fullName: source.text(), description: source.text(),
          language: source.text(), stargazersCount: Int(truncatingIfNeeded: source.next()))
      }
      found.apply(
        .page(RepositorySearchPage(repositories: repositories, totalCount: source.below(9))))
      if source.once(in: 3) { found.apply(.failed(reason: source.text())) }
      return .repositories(found)
    default:
      var sheet = IssueSheet(reference: try RepositoryReference(parsing: "apple/swift"))
      sheet.filter.labels = source.once(in: 3) ? [source.text(), source.text()] : []
      sheet.repository =
        source.once(in: 4)
        ? nil : GitHub.Repository(id: 1, fullName: source.text(), description: source.text())
      sheet.issues = (0..<source.below(40)).map { issue($0, using: &source) }
      sheet.hasMore = source.once(in: 2)
      sheet.standing = source.pick([
        .online, .offline, .limited(until: SampleStates.now), .failed(source.text()),
      ])
      return .issues(sheet)
    }
  }

  private func issue(_ index: Int, using source: inout FuzzSource) -> GitHub.Issue {
    GitHub.Issue(
      id: Int64(index), number: Int(truncatingIfNeeded: source.next()),
      title: source.text(upTo: 90),
      user: GitHub.User(login: source.text()),
      labels: (0..<source.below(4)).map { _ in
        GitHub.Label(name: source.text(), color: source.text())
      },
      commentsCount: Int(truncatingIfNeeded: source.next()),
      createdAt: SampleStates.now.addingTimeInterval(-Double(source.below(1_000_000_000))))
  }

  @Test("random states at random sizes fill each row, and hostile text stays text")
  func randomStates() {
    let failure = FuzzTest("screen", iterations: 300).run { source in
      var state = try state(using: &source)
      state.look.symbols = source.pick([Symbols.unicode, .ascii])
      try check(BrowserScreen.canvas(of: state), of: state.size)
    }
    #expect(failure == nil)
  }

  @Test("hostile titles, labels, logins, names, messages and comments are drawn as text")
  func samples() throws {
    for sample in HostileText.samples + [
      String(repeating: "wide 漢 ", count: 10_000),
      "a" + String(repeating: "\u{301}", count: 100_000),
      String(repeating: "\u{200B}", count: 100_000),
    ] {
      for size in [ScreenSize(columns: 40, rows: 10), ScreenSize(columns: 200, rows: 60)] {
        var state = try SampleStates.reading(size.columns, size.rows)
        var sheet = try SampleStates.sheet(count: 3)
        sheet.repository?.fullName = sample
        sheet.repository?.description = sample
        sheet.issues[0].title = sample
        sheet.issues[1].labels = [GitHub.Label(name: sample, color: sample)]
        sheet.issues[2].user?.login = sample
        state.list.content = .issues(sheet)
        state.message = sample
        state.reader?.issue.title = sample
        state.reader?.document = RenderedDocument(lines: [StyledLine(sample)])
        try check(BrowserScreen.canvas(of: state), of: size)
        state.reader = nil
        state.pane = .search
        state.search.completions = Completions(predictions: [Prediction(sample)])
        try check(BrowserScreen.canvas(of: state), of: size)
      }
    }
  }

  @Test("the browser draws in a window of any size", arguments: 1...24)
  func smallWindows(columns: Int) throws {
    for rows in 1...8 {
      for isReading in [false, true] {
        var state =
          isReading
          ? try SampleStates.reading(columns, rows) : try SampleStates.issues(columns, rows)
        state.help = rows.isMultiple(of: 2) ? KeyHelp() : nil
        let canvas = BrowserScreen.canvas(of: state)
        try check(canvas, of: state.size)
        if columns < 20 || rows < 5 {
          let said = canvas[row: 0].reduce(into: "") { $0 += $1.text }
          #expect("window too small".hasPrefix(said) || said.hasPrefix("window too small"))
        }
      }
    }
  }
}

extension Optional {
  fileprivate func orMismatch(_ reason: @autoclosure () -> String) throws(Mismatch) -> Wrapped {
    guard let self else { throw Mismatch(reason()) }
    return self
  }
}
