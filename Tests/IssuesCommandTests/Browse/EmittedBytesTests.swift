import PlatformModules
import StyledText
import TestSupport
import TestTraits
import Testing

/// Text of other users on the screen of the real program: by the bytes that it writes, and by a terminal's
/// interpretation of them.
extension CommandTests {
  @Suite(
    "Hostile text on the screen", .tags(.heavy), .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct EmittedBytesTests {
    @Test(
      "hostile issues don't move the cursor, set the title, copy text or break lines",
      arguments: [
        (80, 24, "tmux-256color"), (80, 24, "xterm-256color"), (140, 40, "tmux-256color"),
        (140, 40, "xterm-256color"),
      ].sampled(every: 4))
    func hostileIssues(columns: Int, rows: Int, term: String) async throws {
      let samples = HostileText.samples.count
      let repository = LoopbackRepository.swift(
        issues: SyntheticIssues(count: samples, pullRequests: 0, closed: 0, isHostile: true))
      let github = LoopbackGitHub(repositories: [repository])
      for number in 1...samples { github.changeIssue(number, of: repository) { $0.comments = 2 } }
      try await withLoopbackServer(answering: github.handler) { server in
        let screen = try await WatchedScreen(columns, rows, term: term, server)
        try await screen.open("swiftlang/swift", showing: "row 1 of \(samples) ")
        screen.window.press("Enter")
        for number in (1...samples).reversed() {
          try await screen.read(number)
          screen.window.press("J")
        }
        try await screen.leave()
      }
    }

    @Test("the screen shows invalid UTF-8, very long lines and control characters harmlessly")
    func brokenText() async throws {
      let github = LoopbackGitHub()
      github.intercept(
        where: { $0.path.hasSuffix("/issues") },
        response: { _, _ in
          let issues = zip([3, 2, 1], [Self.broken, Self.long, Self.controls])
            .map { Self.issue($0, $1) }
          var response = LoopbackResponse.json("")
          response.body =
            Data("[".utf8) + Data(issues.joined(separator: Data(",".utf8))) + Data("]".utf8)
          return response
        })
      try await withLoopbackServer(answering: github.handler) { server in
        let screen = try await WatchedScreen(80, 24, term: "tmux-256color", server)
        try await screen.open("swiftlang/swift", showing: "row 1 of 3 ")
        screen.window.press("Enter")
        for number in (1...3).reversed() {
          try await screen.read(number)
          screen.window.press("J")
        }
        try await screen.leave()
      }
    }

    /// The JSON of an issue with a text, quoted already, wherever there can be one.
    private static func issue(_ number: Int, _ text: Data) -> Data {
      let parts = [
        #"{"id":\#(number),"number":\#(number),"state":"open","comments":0,"title":""#,
        #"","user":{"id":1,"login":""#, #""},"labels":[{"id":1,"name":""#, #"","color":""#,
        #""}],"body":""#, #""}"#,
      ]
      return Data(parts.map { Data($0.utf8) }.joined(separator: text))
    }

    private static let broken =
      Data("broken ".utf8)
      + Data([0x9B, 0x32, 0x4A, 0xFF, 0xFE, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF5])
    private static let long = Data(String(repeating: "wide 漢字 ", count: 1_000).utf8)
    private static let controls: Data = {
      let escapes = (0..<0x20).map { #"\u00"# + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      return Data(
        (escapes.joined() + #"\u009b2J\u009d0;owned\u009c\u202e\u200b\ue000 end"#).utf8)
    }()

    @Test(
      "the screen shows recorded lists, searches and comments in all languages harmlessly",
      .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
    func recorded() async throws {
      let lists = try Self.bodies("issues-01-paginated-5x3.json") { $0.hasSuffix("/issues") }
      let found = try Self.bodies("search-repos-06-forks-nonascii.json") { _ in true }
      let comments = try Self.bodies("comments-03-emoji.json") { $0.hasSuffix("/comments") }
      let list = try #require(lists.first)
      let search = try #require(found.first)
      let written = try #require(comments.first)
      let github = LoopbackGitHub()
      try await withLoopbackServer { request in
        if request.path.hasSuffix("/comments") { return .json(written) }
        if request.path.hasSuffix("/issues") { return .json(list) }
        if request.path.hasPrefix("/search/") { return .json(search) }
        return await github.handler(request)
      } perform: { server in
        let screen = try await WatchedScreen(80, 24, term: "tmux-256color", server)
        try await screen.open("words", showing: "row 1 of ")
        screen.window.press("/", "C-u")
        try await screen.open("swiftlang/swift", showing: "swiftlang/swift · open issues")
        screen.window.press("Enter")
        try await screen.window.see("q back")
        for _ in 0..<5 {
          try await screen.read(nil)
          screen.window.press("J")
        }
        try await screen.leave()
      }
    }

    private static func bodies(_ file: String, where isWanted: (String) -> Bool) throws -> [String]
    {
      try RecordedExchanges(file: file).exchanges
        .filter {
          $0.status == 200 && isWanted(LoopbackRequest(method: "GET", target: $0.url).path)
        }
        .map(\.body)
    }

    @Test("'issues view' closes all its hyperlinks, which lead to web pages only")
    func links() async throws {
      let repository = LoopbackRepository.swift(
        issues: SyntheticIssues(count: 11, pullRequests: 0, closed: 0, isHostile: true))
      let github = LoopbackGitHub(repositories: [repository])
      github.changeIssue(1, of: repository) {
        $0.body? +=
          "\n\n[good](https://example.com/a) <https://example.com/b> https://example.com/c"
        $0.comments = 3
      }
      try await withLoopbackServer(answering: github.handler) { server in
        for number in 1...11 {
          let result = try await IssuesProgram.run(
            ["view", "swiftlang/swift", "\(number)", "-c", "--api-url", server.url],
            environment: ["FORCE_HYPERLINK": "1", "COLORTERM": "truecolor", "PAGER": "cat"],
            connection: .terminal(columns: 80, rows: 24))
          #expect(result.status == .exited(0))
          let addresses = Self.checkedAddresses(result.output)
          if number == 1 { #expect(addresses.contains("https://example.com/a")) }
        }
      }
    }

    /// Checks a text for a terminal: styles and links, and nothing else. Gives the addresses of the links.
    private static func checkedAddresses(_ output: Data) -> Set<String> {
      var addresses: Set<String> = []
      var isOpen = false
      for sequence in TerminalSequence.all(in: output) {
        switch sequence {
        case .text(let scalar):
          #expect(DrawnSequences.isSeen(scalar) || scalar == "\u{200D}", "\(scalar.value)")
        case .control("\r"): break
        case .control("\n"): #expect(!isOpen)
        case .csi(let parameters, "m"):
          #expect(parameters.allSatisfy { $0.isNumber || $0 == ";" || $0 == ":" })
        // The status line, where the machine is slow.
        case .csi("", "K"): break
        case .string("]", let text):
          let parts = text.split(
            separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
          guard parts.count == 3, parts[0] == "8" else {
            Issue.record("\(sequence)")
            continue
          }
          isOpen = !parts[2].isEmpty
          guard isOpen else { continue }
          addresses.insert(String(parts[2]))
          #expect(["https://", "http://"].contains { parts[2].hasPrefix($0) }, "\(sequence)")
          #expect(parts[2].utf8.allSatisfy { 0x21 <= $0 && $0 < 0x7F }, "\(sequence)")
        default: Issue.record("\(sequence)")
        }
      }
      #expect(!isOpen)
      return addresses
    }
  }
}

/// `issues browse` in a window of tmux, whose lines, title and clipboard are watched.
private struct WatchedScreen {
  let window: TmuxSession
  private let columns: Int
  private let rows: Int
  private let title: String

  init(_ columns: Int, _ rows: Int, term: String, _ server: LoopbackServer) async throws {
    (self.columns, self.rows) = (columns, rows)
    window = try await CommandTests.ScriptedScreenTests.window(columns: columns, rows: rows)
    // Programs may write tmux's clipboard, which they may not unless told.
    _ = try await window.ask("set-option -s set-clipboard on")
    title = try await window.ask("display-message -p '#{pane_title}'")
    window.type("TERM=\(term) $issues browse --api-url \(server.url)")
    window.press("Enter")
    try await window.see("❯")
  }

  /// Types a text into the search bar, and goes to the end of what is listed and back.
  func open(_ text: String, showing words: String) async throws {
    window.type(text)
    window.press("Enter")
    try await seeLines(words) { $0.contains(words) }
    window.press("End")
    try await seeLines("the end of the list") { _ in true }
    window.press("Home")
    try await seeLines("the list") { _ in true }
  }

  /// Reads an issue to its end: that of a number, or whichever is open.
  func read(_ number: Int?) async throws {
    let title = number.map { "#\($0) " } ?? "#"
    try await seeLines("\(title)whole") { screen in
      heading(screen).drop { "●✓⊘ ".contains($0) }.hasPrefix(title)
        && !screen.contains("loading comment")
        && !screen.contains("Loading…")
    }
    window.press("End")
    try await seeLines("the end of \(title)") { screen in
      let isAtEnd = heading(screen).hasSuffix("100%") || heading(screen).hasSuffix("all")
      // The comments have come in between, and the end is further down.
      if !isAtEnd { window.press("End") }
      return isAtEnd
    }
  }

  /// Leaves, and checks all that was written.
  func leave() async throws {
    window.press("C-c")
    try await window.see("the prompt") { $0.hasSuffix("\n$") }
    #expect(try await window.ask("display-message -p '#{pane_title}'") == title)
    #expect(try await window.ask("list-buffers").isEmpty)
    let written = try await window.written
    DrawnSequences.check(written, columns: columns, rows: rows)
    #expect(written.firstRange(of: Data("\u{1B}[?1049h".utf8)) != nil)
    // The checks would see such sequences.
    window.type(#"printf '\033]2;owned\033\\\033]52;c;aGk=\033\\'; echo $((6*7))"#)
    window.press("Enter")
    try await window.see("\n42")
    #expect(try await window.ask("display-message -p '#{pane_title}'") == "owned")
    #expect(try await window.ask("list-buffers").contains("hi"))
  }

  private var isWide: Bool { columns >= 110 }
  private var left: Int { columns * 9 / 20 }

  private func heading(_ screen: String) -> Substring {
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1 else { return "" }
    return lines[1].split(separator: "┃ ").last ?? ""
  }

  /// Waits until each line is where it belongs, and a condition holds: a look can fall in the middle of a picture
  /// that is being drawn.
  private func seeLines(_ wanted: String, where holds: (String) -> Bool) async throws {
    try await window.see("\(wanted), each line where it belongs") { screen in
      let holds = holds(screen)
      return holds && areInPlace(screen.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  private func areInPlace(_ lines: [Substring]) -> Bool {
    guard lines.count == rows, lines[0].hasPrefix("❯ "),
      lines.allSatisfy({ Self.width($0) <= columns })
    else { return false }
    let isReading = lines[rows - 1].contains("q back")
    if !isReading {
      return lines[rows - 1].contains("row 1 of ")
        && lines[(rows < 16 ? 2 : 3)..<rows - 1].allSatisfy { line in
          line.isEmpty || line.wholeMatch(of: /[ ▌](([●✓⊘] )? *#\d+ |.*★).*/) != nil
        }
    }
    return !isWide
      || lines[1..<rows - 1].allSatisfy { line in
        let halves = line.split(separator: "┃", maxSplits: 1, omittingEmptySubsequences: false)
        return halves.count == 2 && Self.width(halves[0]) == left
      }
  }

  private static func width(_ line: Substring) -> Int {
    line.reduce(0) { $0 + DisplayWidth.columns(of: $1) }
  }
}
