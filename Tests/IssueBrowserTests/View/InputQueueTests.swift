import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("Events that wait for the browser", .timeLimit(.minutes(5)))
struct InputQueueTests {
  private static func queue(_ events: [InputEvent]) async -> InputQueue {
    let (stream, input) = AsyncStream<InputEvent>.makeStream()
    for event in events { input.yield(event) }
    input.finish()
    let queue = InputQueue()
    await queue.fill(from: stream)
    return queue
  }

  private static func keys(_ text: String) -> [InputEvent] {
    text.map { .key(.character($0)) }
  }

  private static func events(of queue: InputQueue, in state: BrowserState) async -> [InputEvent] {
    var events: [InputEvent] = []
    while let event = await queue.next(in: { state }) { events.append(event) }
    return events
  }

  @Test("waiting characters are one step for a text field, and other keys stay in order")
  func text() async throws {
    let events = Self.keys("apple/swift") + [.key(.enter)] + Self.keys("j") + [.key(.left)]
    let queue = await Self.queue(events)
    #expect(
      await Self.events(of: queue, in: SampleStates.empty()) == [
        .paste("apple/swift"), .key(.enter), .key(.character("j")), .key(.left),
      ])
  }

  @Test("characters are keys outside of a text field, and after the number of a count")
  func keys() async throws {
    var help = SampleStates.empty()
    help.help = KeyHelp()
    var number = try SampleStates.typing()
    number.search.field = TextField(":5")
    for state in [try SampleStates.issues(), try SampleStates.reading(), help, number] {
      let queue = await Self.queue(Self.keys("5j"))
      #expect(await Self.events(of: queue, in: state) == Self.keys("5j"))
    }
  }

  @Test("Ctrl-C doesn't wait for many keys, but for a few")
  func interrupt() async throws {
    let state = try SampleStates.issues()
    let many = await Self.queue(
      Self.keys(String(repeating: "j", count: 108_000)) + [.key(.interrupt)])
    #expect(await Self.events(of: many, in: state) == [.key(.interrupt)])
    let few = await Self.queue(Self.keys("jjj") + [.key(.interrupt)])
    #expect(await Self.events(of: few, in: state) == Self.keys("jjj") + [.key(.interrupt)])
  }

  @Test("text that is too long for a field is cut, and the status line says so")
  func full() throws {
    var finding = try SampleStates.reading()
    finding.reader?.openFind()
    var filtering = try SampleStates.issues()
    filtering.openFilter()
    for state in [SampleStates.empty(120), finding, filtering] {
      var state = state
      state.handle(.input(.paste(String(repeating: "lorem ", count: 18_000))))
      #expect(state.message == "The text is cut: it can have 2,048 characters")
      #expect(BrowserScreen.canvas(of: state).text.contains("The text is cut"))
      state.handle(.input(.key(.backspace)))
      #expect(state.message == nil)
    }
  }
}
