import GitHubAPI
import IssueTracker
import PlatformModules
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("The user's own commands on the screen")
struct CustomCommandTests {
  private static let develop = CustomCommand(
    "develop", key: .control("t"), words: ["gh", "x", "{number}", "{repository}:{url}"],
    title: "develop it")
  private static let plain = CustomCommand("plain", words: ["date"])

  private static func list() throws -> BrowserState {
    var state = try SampleStates.issues()
    state.customCommands = [develop, plain]
    return state
  }

  private static func press(
    _ keys: InputEvent.Key..., in state: inout BrowserState
  ) -> [BrowserState.Effect] {
    keys.reduce(into: []) { $0 += state.handle(.input(.key($1))) }
  }

  private static func page(_ state: BrowserState) throws -> RepositoryReference {
    try #require(state.selectedPage)
  }

  @Test("values replace placeholders once, and stay one argument")
  func filling() throws {
    let command = CustomCommand(
      "c", words: ["p", "a{branch}b", "{number}{number}", "{}{x1}{{url}}"])
    let words = try command.words(
      filling: [.branch: "x; $(touch y) {url}", .number: "12", .url: "https://h"])
    #expect(words == ["p", "ax; $(touch y) {url}b", "1212", "{}{x1}{https://h}"])
  }

  @Test(
    "a missing value, and one that could be an option, are refused",
    arguments: [
      ([:], "no issue is selected"), ([.number: ""], "no issue is selected"),
      ([.number: "1", .branch: "--x"], "begins with a hyphen"),
      ([.number: "1"], "no linked branch"),
    ] as [([CustomCommand.Placeholder: String], String)])
  func refusals(values: [CustomCommand.Placeholder: String], words: String) throws {
    let command = CustomCommand("c", words: ["p", "{number}", "--head={branch}"])
    let problem = try #require(throws: CustomCommand.Problem.self) {
      try command.words(filling: values)
    }
    #expect(problem.description.contains(words))
  }

  @Test("its key runs a command for the selected issue, and no key is taken until it has ended")
  func key() throws {
    var state = try Self.list()
    let page = try Self.page(state)
    #expect(page.issueNumber == 85_954)
    #expect(
      Self.press(.control("t"), in: &state) == [.begin(.acting(.run(Self.develop, page)))])
    #expect(Self.press(.control("t"), .character("j"), in: &state) == [])
    let work = BrowserWork.acting(.run(Self.develop, page))
    state.handle(.result(.acting(.ran("Done: develop it")), of: work))
    #expect(state.message == "Done: develop it")
    #expect(!state.acting.isComposing && state.acting.running == nil)
    _ = Self.press(.control("t"), in: &state)
    state.handle(.result(.acting(.notComposed("It isn't installed")), of: work))
    #expect(state.acting.notice?.lines == ["It isn't installed"])
    #expect(!state.acting.isComposing)
  }

  @Test("! offers the commands with their keys, and Enter runs the chosen one")
  func picker() throws {
    var state = try Self.list()
    let page = try Self.page(state)
    #expect(Self.press(.character("!"), in: &state) == [])
    guard case .picker(let picker)? = state.acting.dialog else {
      Issue.record("there is no picker")
      return
    }
    #expect(picker.items.map(\.text) == ["develop it", "date"])
    #expect(picker.items.map(\.detail) == ["^T", ""])
    #expect(
      Self.press(.character("d"), .character("a"), .character("t"), .enter, in: &state)
        == [.begin(.acting(.run(Self.plain, page)))])
    #expect(state.acting.dialog == nil)
  }

  @Test("the palette has the commands")
  func palette() throws {
    var state = try Self.list()
    let page = try Self.page(state)
    _ = Self.press(.control("p"), in: &state)
    for letter in "develop it" { state.handle(.input(.key(.character(letter)))) }
    #expect(state.paletteRows.map(\.keys) == ["^T"])
    #expect(Self.press(.enter, in: &state) == [.begin(.acting(.run(Self.develop, page)))])
  }

  @Test("without a value, the status line says why the command isn't run")
  func missing() throws {
    var state = BrowserState(
      size: ScreenSize(columns: 80, rows: 24), now: .init(timeIntervalSince1970: 0),
      host: "github.com")
    state.pane = .list
    state.customCommands = [Self.develop, Self.plain]
    #expect(Self.press(.control("t"), in: &state) == [])
    #expect(state.message == "“develop it” isn't run: no issue is selected")
    state.customCommands = []
    _ = Self.press(.character("!"), in: &state)
    #expect(state.message?.contains("issues help config") == true)
  }

  @Test("the key of a field or a question isn't a command's")
  func fields() throws {
    var state = try Self.list()
    state.customCommands = [CustomCommand("c", key: .character("z"), words: ["date"])]
    _ = Self.press(.character("f"), .character("z"), in: &state)
    #expect(state.filter.field?.text.contains("z") == true)
    #expect(!state.acting.isComposing)
  }
}
