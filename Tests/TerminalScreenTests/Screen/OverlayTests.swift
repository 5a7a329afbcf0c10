import StyledText
import TestSupport
import Testing

@testable import TerminalScreen

@Suite("Drawing beyond ncurses", .serialized, .timeLimit(.minutes(5)))
struct OverlayTests {
  private static let link = WebLink("https://example.org/x")
  private static let features = TerminalFeatures(
    hasLinks: true, strikesThrough: true, drawsClusters: true)

  private static func overlays(
    _ runs: [StyledLine.Run], _ features: TerminalFeatures = features
  ) -> [Overlay] {
    var canvas = Canvas(size: ScreenSize(columns: 20, rows: 2))
    canvas.draw(StyledLine(runs: runs), column: 2, row: 1)
    return Overlay.all(in: canvas[row: 1], features)
  }

  @Test("a link is one part, whatever its styles")
  func links() {
    let runs = [
      StyledLine.Run("a "), StyledLine.Run("bc", link: Self.link),
      StyledLine.Run("漢", style: .heading, link: Self.link), StyledLine.Run("d"),
      StyledLine.Run("e", link: WebLink("https://example.org/y")),
    ]
    #expect(
      Self.overlays(runs) == [
        Overlay(columns: 4..<8, link: Self.link, isStruck: false),
        Overlay(columns: 9..<10, link: WebLink("https://example.org/y"), isStruck: false),
      ])
    #expect(Self.overlays(runs, TerminalFeatures(strikesThrough: true)).isEmpty)
  }

  @Test("struck text and an emoji in a link are separate parts")
  func parts() {
    let struck = Style(isStruck: true)
    #expect(
      Self.overlays([
        StyledLine.Run("ab", style: struck), StyledLine.Run("c", style: struck, link: Self.link),
        StyledLine.Run("🇩🇪👍", link: Self.link),
      ]) == [
        Overlay(columns: 2..<4, link: nil, isStruck: true),
        Overlay(columns: 4..<5, link: Self.link, isStruck: true),
        Overlay(columns: 5..<7, link: Self.link, isStruck: false, cluster: "🇩🇪"),
        Overlay(columns: 7..<9, link: Self.link, isStruck: false),
      ])
  }

  /// The bytes that a probe writes to the terminal between two of its reports.
  private static func written(
    _ steps: String..., from first: String, to second: String, environment: [String: String] = [:]
  ) async throws -> String {
    let run = try CommandRun(
      "screen-probe", ["palette"] + steps,
      environment: ProbeRun.environment.merging(environment) { $1 },
      connection: .terminal(columns: 80, rows: 24))
    let output = try await run.result().outputText
    return try #require(
      ProbeRun.written(in: output, between: first, and: second), "\(output.debugDescription)")
  }

  @Test("struck text is written again and ends before the next text")
  func struck() async throws {
    let text = try await Self.written("show=struck:gone", "close", from: "open", to: "done show")
    #expect(text.contains("gone"))
    #expect(
      text.contains("\u{1B}7\u{1B}[1;1H\u{1B}[9mgone\u{1B}[29m\u{1B}8"),
      "\(text.debugDescription)")
    let other = try await Self.written(
      "show=struck:gone", "close", from: "open", to: "done show", environment: ["TERM": "rxvt"])
    #expect(!other.contains("[9m"))
  }

  @Test("a link applies only to its own cells and ends when they change")
  func link() async throws {
    let (begin, end) = ("\u{1B}]8;;https://example.org/x\u{1B}\\", "\u{1B}]8;;\u{1B}\\")
    let steps = ["show=link:here there", "show=plain:here there", "show=link:here", "close"]
    let run = try CommandRun(
      "screen-probe", ["palette"] + steps,
      environment: ProbeRun.environment.merging(["FORCE_HYPERLINK": "1"]) { $1 },
      connection: .terminal(columns: 80, rows: 24))
    let output = try await run.result().outputText
    let parts = output.split(separator: ProbeRun.mark("done show")).map(String.init)
    try #require(parts.count == 4)
    #expect(parts[0].contains("\(begin)here there\(end)"), "\(parts[0].debugDescription)")
    // The same text again, without the link.
    #expect(parts[1].contains("here there") && !parts[1].contains("]8;"))
    #expect(parts[2].contains("\(begin)here\(end)"))
    // A link that a crash left open would go on in the shell.
    #expect(output.split(separator: begin).count == 3)
    let without = try await Self.written(
      "show=link:here", "close", from: "open", to: "done close")
    #expect(!without.contains("]8;"))
  }

  @Test(
    "a flag is drawn whole after the terminal confirms support for clusters",
    arguments: [("1", true), ("3", true), ("2", false), ("0", false), ("4", false)])
  func clusters(mode: String, isWhole: Bool) async throws {
    let probe = try ProbeRun(
      "show=plain:🇩🇪 👩‍👩‍👧|", "events", "show=plain:🇫🇷 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿|", "close")
    try await probe.report("resized 80x24")
    let before = try await probe.report("done show")
    #expect(before.contains("DE 👩 |") || before.contains("DE 👩|"))
    #expect(!before.contains("🇩🇪"))
    probe.run.write("\u{1B}[?2027;\(mode)$y\u{1B}[?62cq")
    let output = try await probe.run.result().outputText
    #expect(output.contains("🇩🇪") == isWhole)
    #expect(output.contains("👩‍👩‍👧") == isWhole)
    #expect(output.contains("🇫🇷") == isWhole)
    #expect(output.contains("🏴󠁧󠁢󠁥󠁮󠁧󠁿") == isWhole)
  }
}
