import StyledText
import Testing

@testable import IssuesCommand

@Suite("The style of the output")
struct OutputStyleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var environment: [String: String]
    var isTerminal = true
    var choice = ColorChoice.automatic
    var expected: ColorMode

    var testDescription: String {
      "\(environment.sorted { $0.key < $1.key }) terminal: \(isTerminal) \(choice) → \(expected)"
    }
  }

  @Test(
    "colors follow the option, then the environment, then the terminal",
    arguments: [
      Case(environment: ["TERM": "xterm"], expected: .basic),
      Case(environment: ["TERM": "xterm-256color"], expected: .palette),
      Case(environment: ["TERM": "screen-256color-bce"], expected: .palette),
      Case(environment: ["TERM": "xterm", "COLORTERM": "truecolor"], expected: .trueColor),
      Case(environment: ["TERM": "xterm", "COLORTERM": "24bit"], expected: .trueColor),
      Case(environment: ["TERM": "xterm", "COLORTERM": "yes"], expected: .basic),
      Case(environment: ["TERM": "xterm-direct"], expected: .trueColor),
      Case(environment: ["TERM": "dumb", "COLORTERM": "truecolor"], expected: .none),
      Case(environment: [:], expected: .none),
      Case(environment: ["TERM": "xterm"], isTerminal: false, expected: .none),
      Case(environment: ["TERM": "xterm", "NO_COLOR": "1"], expected: .none),
      Case(environment: ["TERM": "xterm", "NO_COLOR": "0"], expected: .none),
      Case(environment: ["TERM": "xterm", "NO_COLOR": ""], expected: .basic),
      Case(environment: ["TERM": "xterm", "CLICOLOR": "0"], expected: .none),
      Case(environment: ["TERM": "xterm", "CLICOLOR": "1"], expected: .basic),
      Case(
        environment: ["TERM": "xterm", "CLICOLOR": "1"], isTerminal: false, expected: .none),
      Case(
        environment: ["TERM": "xterm", "CLICOLOR_FORCE": "1"], isTerminal: false, expected: .basic),
      Case(
        environment: ["TERM": "xterm", "CLICOLOR_FORCE": "0"], isTerminal: false, expected: .none),
      Case(
        environment: ["TERM": "xterm", "CLICOLOR_FORCE": ""], isTerminal: false, expected: .none),
      Case(environment: ["TERM": "dumb", "CLICOLOR_FORCE": "1"], expected: .basic),
      Case(
        environment: ["TERM": "xterm", "CLICOLOR_FORCE": "1", "CLICOLOR": "0"], expected: .basic),
      Case(
        environment: ["TERM": "xterm", "CLICOLOR_FORCE": "1", "NO_COLOR": "1"], expected: .none),
      Case(
        environment: ["TERM": "xterm", "NO_COLOR": "1"], isTerminal: false, choice: .always,
        expected: .basic),
      Case(
        environment: ["TERM": "xterm", "CLICOLOR_FORCE": "1"], choice: .never, expected: .none),
    ])
  func colors(example: Case) {
    let style = OutputStyle(
      terminal: TerminalCapabilities(isTerminal: example.isTerminal),
      environment: example.environment, color: example.choice)
    #expect(style.color == example.expected)
  }

  @Test(
    "GH_FORCE_TTY styles a pipe as a terminal: a number is the width, a percentage its share",
    arguments: [
      ("1", nil, 80), ("true", 100, 100), ("0", nil, 80), ("132", 100, 132), ("50%", 100, 50),
      ("50%", nil, 40), ("200%", 100, 200), ("1%", 100, 10), ("-3%", 100, 100), ("x%", 100, 100),
    ] as [(String, Int?, Int)])
  func forced(value: String, window: Int?, expected: Int) {
    let environment = ["GH_FORCE_TTY": value, "COLUMNS": ""]
    let terminal = TerminalCapabilities(isTerminal: false)
      .forced(by: environment, window: { window })
    let style = OutputStyle(terminal: terminal, environment: environment)
    #expect(style.layout == .table)
    #expect(style.color == .basic)
    #expect(style.width == expected)
  }

  @Test("GH_FORCE_TTY doesn't override disabled colors, and is ignored if empty")
  func forcedColors() {
    for environment in [["NO_COLOR": "1"], ["CLICOLOR": "0"]] {
      let environment = environment.merging(["GH_FORCE_TTY": "1"]) { $1 }
      let terminal = TerminalCapabilities(isTerminal: false)
        .forced(by: environment, window: { nil })
      #expect(OutputStyle(terminal: terminal, environment: environment).color == .none)
    }
    let pipe = TerminalCapabilities(isTerminal: false)
    #expect(pipe.forced(by: ["GH_FORCE_TTY": ""], window: { 100 }) == pipe)
  }

  @Test("a terminal gets a table, other output gets plain lines, whatever the colors")
  func layout() {
    let forced = ["CLICOLOR_FORCE": "1"]
    #expect(
      OutputStyle(terminal: .init(isTerminal: true), environment: [:]).layout == .table)
    #expect(
      OutputStyle(terminal: .init(isTerminal: false), environment: forced).layout == .plain)
  }

  @Test(
    "the width is COLUMNS, then the window's, then 80",
    arguments: [
      ("132", 100, 132), (nil, 100, 100), ("", 100, 100), ("0", 100, 100), ("-5", 100, 100),
      ("wide", 100, 100), (nil, nil, 80), ("20", nil, 20),
      ("9223372036854775807", nil, 10_000),
    ] as [(String?, Int?, Int)])
  func width(variable: String?, window: Int?, expected: Int) {
    var environment: [String: String] = [:]
    environment["COLUMNS"] = variable
    let style = OutputStyle(
      terminal: TerminalCapabilities(isTerminal: true, columns: window), environment: environment)
    #expect(style.width == expected)
  }

  @Test("a pseudo-terminal reports its width, unless it is new, and a file doesn't")
  func kernel() throws {
    let terminal = try PseudoTerminal()
    #expect(TerminalCapabilities(descriptor: terminal.slave) == .init(isTerminal: true))
    try terminal.resize(columns: 57)
    #expect(
      TerminalCapabilities(descriptor: terminal.slave) == .init(isTerminal: true, columns: 57))
    let file = try ScratchFile()
    #expect(TerminalCapabilities(descriptor: file.descriptor) == .init(isTerminal: false))
  }
}
