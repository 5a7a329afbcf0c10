import TestSupport
import Testing

@Suite("Drawing on a terminal", .serialized, .timeLimit(.minutes(5)))
struct DrawingTests {
  /// Each step's output to the terminal, by its name.
  private static func written(
    by steps: String..., color: String = "palette", environment: [String: String] = [:]
  ) async throws -> [String] {
    let run = try CommandRun(
      "screen-probe", [color] + steps,
      environment: ProbeRun.environment.merging(environment) { $1 },
      connection: .terminal(columns: 80, rows: 24))
    let result = try await run.result()
    #expect(result.status == .exited(0))
    var parts: [String] = []
    var rest = result.outputText
    for name in ["open"] + steps.map({ "done " + $0.prefix { $0 != "=" } }) {
      let pieces = rest.split(
        separator: ProbeRun.mark(name), maxSplits: 1, omittingEmptySubsequences: false)
      try #require(pieces.count == 2, "no '\(name)' in \(rest.debugDescription)")
      parts.append(String(pieces[0]))
      rest = String(pieces[1])
    }
    return Array(parts.dropFirst())
  }

  @Test(
    "a label has the nearest color that the terminal can show",
    arguments: [
      ("palette", "xterm-256color", "\u{1B}[38;5;167mbug"), ("basic", "xterm-256color", "bug"),
      ("none", "xterm-256color", "bug"), ("trueColor", "rxvt", "bug"),
      ("trueColor", "rxvt-unicode-256color", "\u{1B}[38;5;167mbug"),
    ])
  func labels(color: String, term: String, expected: String) async throws {
    let written = try await Self.written(
      by: "show=label-d73a4a:bug", color: color, environment: ["TERM": term])
    #expect(written[0].hasPrefix(expected), "\(written[0].debugDescription)")
  }

  @Test(
    "a label has its exact 24-bit color",
    .enabled(if: ProbeRun.hasDirectEntry, "ncurses-term is not installed"))
  func trueColor() async throws {
    let written = try await Self.written(
      by: "show=label-d73a4a:bug", "row=1", "show=green:green", color: "trueColor")
    #expect(written[0].hasPrefix("\u{1B}[38:2::215:58:74mbug"))
    #expect(written[2].contains("\u{1B}[32mgreen"))
  }

  @Test(
    "backgrounds are shown if the terminal supports them, and text is readable without them",
    arguments: [
      ("pill", "palette", "xterm-256color", "\u{1B}[38;5;231m\u{1B}[48;5;167mtext"),
      ("pill", "basic", "xterm-256color", "text"), ("pill", "none", "xterm-256color", "text"),
      ("pill", "trueColor", "linux", "text"),
      ("onBlue", "basic", "linux", "\u{1B}[37m\u{1B}[44mtext"),
      ("onBlue", "palette", "xterm-256color", "\u{1B}[37m\u{1B}[44mtext"),
      ("onGrey", "palette", "xterm-256color", "\u{1B}[48;5;242mtext"),
      ("onGrey", "basic", "xterm-256color", "\u{1B}[100mtext"),
    ])
  func backgrounds(style: String, color: String, term: String, expected: String) async throws {
    let written = try await Self.written(
      by: "show=\(style):text", color: color, environment: ["TERM": term])
    #expect(written[0].hasPrefix(expected), "\(written[0].debugDescription)")
  }

  @Test(
    "a background has its exact 24-bit color",
    .enabled(if: ProbeRun.hasDirectEntry, "ncurses-term is not installed"))
  func trueColorBackground() async throws {
    let written = try await Self.written(by: "show=pill:text", color: "trueColor")
    #expect(
      written[0].hasPrefix("\u{1B}[38:2::255:255:255m\u{1B}[48:2::215:58:74mtext"),
      "\(written[0].debugDescription)")
  }

  @Test("running out of color pairs doesn't change the displayed colors")
  func fewPairs() async throws {
    // 8 colors and 64 pairs; nine more in each step.
    let written = try await Self.written(
      by: "show=onBlue:text", "pairs=0", "pairs=9", "pairs=18", "pairs=27", "pairs=36", "pairs=45",
      "pairs=54", "pairs=63", "pairs=72", "close", color: "basic", environment: ["TERM": "linux"])
    let own = "\u{1B}[37m\u{1B}[44m"
    #expect(written[0].contains("\(own)text"))
    // Written again when the pairs were used up, and then in its own colors.
    let again = written[1...].joined().split(separator: "text", omittingEmptySubsequences: false)
    for before in again.dropLast() { #expect(before.hasSuffix(own), "\(before.debugDescription)") }
    #expect(written[9].contains("\u{1B}[36m\u{1B}[47mx"), "\(written[9].debugDescription)")
  }

  @Test(
    "a terminal can show more colors over time than it has pairs",
    .enabled(if: ProbeRun.hasDirectEntry, "ncurses-term is not installed"))
  func manyColors() async throws {
    let written = try await Self.written(by: "colors=70000", color: "trueColor")
    for number in [1, 8, 65_535, 65_536, 65_537, 69_999, 70_000] {
      let (red, green, blue) = (number >> 16, number >> 8 & 0xFF, number & 0xFF)
      let color = number < 8 ? "38:2::0:0:8" : "38:2::\(red):\(green):\(blue)"
      #expect(written[0].contains("\(color)mx"), "\(number)")
    }
  }

  @Test(
    "text attributes are shown with and without colors",
    arguments: ["none", "palette"])
  func attributes(color: String) async throws {
    for (style, code) in [
      ("bold", 1), ("faint", 2), ("underlined", 4), ("italic", 3), ("reversed", 7),
    ] {
      let written = try await Self.written(by: "show=\(style):text", color: color)
      #expect(
        written[0].contains("[\(code)mtext") || written[0].contains("[0;\(code)mtext"),
        "\(style): \(written[0].debugDescription)")
    }
  }

  @Test("nothing is colored with NO_COLOR")
  func noColor() async throws {
    let run = try ProbeRun(
      "show=green:green", "row=1", "show=label-d73a4a:bug", "row=2", "show=grey:grey", "close",
      color: "none")
    let output = try await run.run.result().outputText
    #expect(output.contains("green") && output.contains("bug") && output.contains("grey"))
    for code in ["[3", "[4", "[9", ";3", ";4", ";9"] {
      let colored = output.split(separator: code).dropFirst().contains { rest in
        let digits = rest.prefix { $0.isNumber || $0 == ";" || $0 == ":" }
        return rest.dropFirst(digits.count).first == "m" && !digits.isEmpty
      }
      #expect(!colored, "\(code) in \(output.debugDescription)")
    }
  }

  @Test("an unchanged picture isn't written, and a changed cell writes very little")
  func differences() async throws {
    let written = try await Self.written(
      by: "row=5", "show=green:one two three", "again", "show=green:one 2wo three", "cursor=3,4",
      "again")
    #expect(written[1].contains("one two three"))
    #expect(written[2].isEmpty)
    #expect(written[3].contains("2") && written[3].utf8.count < 40)
    #expect(written[4].contains("\u{1B}[?25h") || written[4].contains("\u{1B}[?12l\u{1B}[?25h"))
    #expect(written[5].isEmpty)
  }

  @Test(
    "text directly follows wide characters and combining marks")
  func wide() async throws {
    let written = try await Self.written(
      by: "show=plain:漢字 e\u{301}\u{302} 👩‍👩‍👧 ❤️ 🇩🇪|", "row=1", "show=plain:漢|")
    #expect(written[0].contains("漢字 e\u{301}\u{302} 👩 ❤  DE|"), "\(written[0].debugDescription)")
    #expect(written[2].contains("漢|"))
  }

  @Test(
    "without UTF-8, text is ASCII, and lines use the terminal's line drawing",
    arguments: [
      ["LANG": "C"], ["LC_ALL": "POSIX", "LANG": "C.UTF-8"], ["LANG": ""],
      ["LANG": "qq_QQ.ISO-8859-1"], ["LANG": "qq_QQ"],
    ])
  func ascii(environment: [String: String]) async throws {
    let written = try await Self.written(
      by: "show=plain:┌─┐ …漢é|", "close", environment: environment)
    #expect(written[0].contains("\u{1B}(0"), "\(written[0].debugDescription)")
    #expect(written[0].contains("lqk"))
    #expect(written[0].contains(" .? ?|"))
    #expect(written[0].utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(
    "an uninstalled locale shows UTF-8 if its name ends with UTF-8",
    arguments: ["qq_QQ.UTF-8", "qq_QQ.utf8", "qq_QQ.UTF-8@euro"])
  func missingLocale(name: String) async throws {
    let written = try await Self.written(by: "show=plain:漢é|", environment: ["LANG": name])
    #expect(written[0].contains("漢é|"), "\(written[0].debugDescription)")
  }

  @Test("hostile text doesn't move the cursor or send control sequences")
  func hostile() async throws {
    let written = try await Self.written(by: "hostile", "close")
    // ncurses's own: SGR, positions, erasing, and the choice of a character set.
    let sequences = try Regex(#"\x{1B}(\[[0-9;]*[mHGKJXdABCD]|\[\?(25|12)[hl]|\(B)"#)
    let shown = written[0].replacing(sequences, with: "")
    let controls = shown.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\r" && $0 != "\n") || (0x7F...0x9F).contains($0.value)
        || (0x200B...0x200F).contains($0.value) || (0x2028...0x202E).contains($0.value)
        || (0x2066...0x2069).contains($0.value) || $0.value == 0xFEFF
    }
    #expect(controls.isEmpty, "\(controls.map(\.value)) in \(written[0].debugDescription)")
    #expect(shown.contains("^[]0;owned^G"))
    #expect(shown.contains(#"\u{9B}31mred"#))
  }

  @Test(
    "a large picture is clipped to the window, and a smaller one erases it completely"
  )
  func sizes() async throws {
    let long = String(repeating: "x", count: 290)
    let written = try await Self.written(
      by: "large", "show=plain:\(long)", "row=99", "show=plain:below", "small", "row=1",
      "show=plain:small", "close")
    #expect(written[1].contains(String(repeating: "x", count: 79)))
    #expect(!written[1].contains(String(repeating: "x", count: 81)))
    #expect(!written[3].contains("below"))
    #expect(written[6].contains("small"))
    #expect(written[6].contains("\u{1B}[K") || written[6].contains("\u{1B}[J"))
  }

  @Test("a new window size is reported")
  func resize() async throws {
    let probe = try ProbeRun("show=plain:hello", "events", "again", "close")
    try await probe.report("resized 80x24")
    probe.run.resize(columns: 100, rows: 30)
    try await probe.report("resized 100x30")
    probe.run.resize(columns: 20, rows: 5)
    try await probe.report("resized 20x5")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    // The same picture is written again.
    #expect(
      ProbeRun.written(in: output, between: "done events", and: "done again")?.contains("hello")
        == true)
  }

  @Test("LINES and COLUMNS don't change the window's size")
  func variables() async throws {
    let probe = try ProbeRun("events", "close", environment: ["LINES": "7", "COLUMNS": "33"])
    try await probe.report("resized 80x24")
    probe.run.write("q")
    #expect(try await probe.run.result().status == .exited(0))
  }

  @Test(
    "terminals open with the window's size, even if their entry has a size",
    arguments: [
      "linux", "linux-16color", "putty", "putty-256color", "cygwin", "hurd", "vt100", "screen",
      "tmux", "xterm-kitty", "ansi",
    ].filter { ProbeRun.hasEntry($0) },
    [[:], ["LINES": "7", "COLUMNS": "33"]] as [[String: String]])
  func terminals(term: String, variables: [String: String]) async throws {
    let probe = try ProbeRun(
      "row=23", "show=plain:below", "events", "close",
      environment: ["TERM": term].merging(variables) { $1 })
    try await probe.report("resized 80x24")
    probe.run.resize(columns: 100, rows: 30)
    try await probe.report("resized 100x30")
    probe.run.write("q")
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    #expect(result.outputText.contains("below"))
  }

  @Test(
    "a terminal without a known size has 80 columns and 24 rows", arguments: ["linux", "vt100"])
  func noSize(term: String) async throws {
    let run = try CommandRun(
      "screen-probe", ["none", "events", "close"],
      environment: ProbeRun.environment.merging(["TERM": term]) { $1 },
      connection: .terminal(columns: 0, rows: 0), input: nil)
    try await run.waitFor(ProbeRun.mark("resized 80x24"))
    run.write("q")
    #expect(try await run.result().status == .exited(0))
  }

  @Test(
    "an unusable terminal is reported with its reason and a remedy",
    arguments: [
      ("dumb", "TERM=xterm-256color"), ("", "TERM=xterm-256color"),
      ("no-such-terminal", "'no-such-terminal'"), ("lpr", "can't"),
    ])
  func refusals(term: String, expected: String) async throws {
    let probe = try ProbeRun("close", environment: ["TERM": term])
    let result = try await probe.run.result()
    #expect(result.status == .exited(3))
    #expect(result.outputText.contains(expected))
    #expect(!result.outputText.contains("\u{1B}"))
  }

  @Test("redirected output is reported")
  func noTerminal() async throws {
    let result = try await CommandRun.run(
      "screen-probe", ["palette", "close"], environment: ProbeRun.environment)
    #expect(result.status == .exited(3))
    #expect(result.outputText.contains("must not be redirected"))
  }
}
