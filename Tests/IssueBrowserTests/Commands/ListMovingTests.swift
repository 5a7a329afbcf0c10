import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Moving through rows and lines")
struct ListMovingTests {
  /// A list of issues, in a window that shows 21 of them.
  private static func list(_ count: Int = 100) throws -> BrowserState {
    var state = try SampleStates.issues(80, 25, count: count)
    state.list.cursor.selection = 0
    return state
  }

  private static func isVisible(_ state: BrowserState) -> Bool {
    let height = state.layout.list.height
    return height == 0
      || (state.list.cursor.top..<state.list.cursor.top + height).contains(
        state.list.cursor.selection)
  }

  @Test("keys move the selection, and the list scrolls no further than needed")
  func keys() throws {
    var state = try Self.list()
    let steps: [(InputEvent.Key, selection: Int, top: Int)] = [
      (.up, 0, 0), (.down, 1, 0), (.pageDown, 21, 1), (.pageDown, 41, 21), (.up, 40, 21),
      (.pageUp, 20, 20), (.end, 99, 79), (.down, 99, 79), (.pageDown, 99, 79), (.up, 98, 79),
      (.home, 0, 0), (.pageUp, 0, 0),
    ]
    for (key, selection, top) in steps {
      state.handle(.input(.key(key)))
      #expect((state.list.cursor.selection, state.list.cursor.top) == (selection, top), "\(key)")
    }
  }

  @Test("the wheel scrolls without moving the selection, and the next key scrolls back to it")
  func wheel() throws {
    var state = try Self.list()
    for _ in 1...3 { state.handle(.input(.mouse(.wheelDown, column: 1, row: 5))) }
    #expect((state.list.cursor.selection, state.list.cursor.top) == (0, 9))
    for _ in 1...100 { state.handle(.input(.mouse(.wheelDown, column: 1, row: 5))) }
    #expect((state.list.cursor.selection, state.list.cursor.top) == (0, 79))
    state.handle(.input(.key(.down)))
    #expect((state.list.cursor.selection, state.list.cursor.top) == (1, 1))
    state.handle(.input(.key(.end)))
    for _ in 1...100 { state.handle(.input(.mouse(.wheelUp, column: 1, row: 5))) }
    #expect((state.list.cursor.selection, state.list.cursor.top) == (99, 0))
    state.handle(.input(.mouse(.click, column: 1, row: 7)))
    #expect((state.list.cursor.selection, state.list.cursor.top) == (4, 0))
  }

  @Test("beside the reader, the wheel scrolls the list and doesn't change the issue being read")
  func wheelBesideReader() throws {
    var state = try SampleStates.reading(160)
    let issue = state.reader?.issue
    let effects = state.handle(.input(.mouse(.wheelDown, column: 1, row: 5)))
    #expect(state.reader?.issue == issue)
    #expect(effects.isEmpty)
  }

  @Test("keys do nothing in an empty list")
  func empty() {
    var state = SampleStates.empty()
    state.pane = .list
    for key: InputEvent.Key in [.down, .up, .end, .pageDown, .enter, .character("o")] {
      state.handle(.input(.key(key)))
      #expect((state.list.cursor.selection, state.list.cursor.top) == (0, 0))
    }
    state.handle(.input(.mouse(.wheelDown, column: 1, row: 5)))
    #expect((state.list.cursor.selection, state.list.cursor.top) == (0, 0))
  }

  @Test("the selection stays visible, whatever key is pressed and however the window is resized")
  func random() throws {
    let keys: [InputEvent.Key] = [
      .up, .down, .pageUp, .pageDown, .home, .end, .enter, .escape, .tab, .character("J"),
      .character("K"), .character("j"), .character("/"), .control("d"), .control("u"),
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 1...200 {
      var state = try Self.list(Int.random(in: 0...60, using: &random))
      var isScrolled = false
      for _ in 1...60 {
        let event: InputEvent =
          switch Int.random(in: 0...9, using: &random) {
          case 0:
            .resized(
              ScreenSize(
                columns: .random(in: 1...200, using: &random),
                rows: .random(in: 1...60, using: &random)))
          case 1:
            .mouse(
              [.click, .doubleClick, .wheelUp, .wheelDown].randomElement(using: &random) ?? .click,
              column: .random(in: 0...200, using: &random),
              row: .random(in: 0...60, using: &random))
          default: .key(keys.randomElement(using: &random) ?? .down)
          }
        let selection = state.list.cursor.selection
        state.handle(.input(event))
        switch event {
        case .mouse(.wheelUp, _, _), .mouse(.wheelDown, _, _): isScrolled = true
        case .resized: isScrolled = false
        default: if state.list.cursor.selection != selection { isScrolled = false }
        }
        #expect(state.list.cursor.selection == 0 || state.list.cursor.selection < state.rowCount)
        #expect(
          isScrolled || Self.isVisible(state),
          "\(event) \(state.list.cursor.selection) \(state.list.cursor.top) \(state.size)")
        #expect(state.list.cursor.top >= 0)
      }
    }
  }

  @Test("the reader scrolls no further than its last line, even if the window is resized")
  func reader() throws {
    var state = try SampleStates.reading()  // 100 lines, of which 21 are to be seen.
    state.handle(.input(.key(.home)))
    let steps: [(InputEvent.Key, Int)] = [
      (.up, 0), (.down, 1), (.pageDown, 21), (.character("G"), 79), (.down, 79), (.pageUp, 59),
    ]
    for (key, top) in steps {
      state.handle(.input(.key(key)))
      #expect(state.reader?.top == top, "\(key)")
    }
    state.handle(.input(.key(.end)))
    state.handle(.input(.resized(ScreenSize(columns: 80, rows: 53))))
    #expect(state.reader?.top == 50)
  }

  @Test("focus moves to the reader when the window is too narrow for the list")
  func narrower() throws {
    var state = try SampleStates.reading(160)
    state.pane = .list
    state.handle(.input(.resized(ScreenSize(columns: 40, rows: 10))))
    #expect(state.pane == .reader)
    state.handle(.input(.key(.escape)))
    #expect(state.pane == .list)
    #expect(state.reader == nil)
    #expect(Self.isVisible(state))
  }

  @Test("Esc leads from the reader to the list and stops there, and q quits")
  func back() throws {
    var state = try SampleStates.reading()
    state.handle(.input(.key(.escape)))
    #expect(state.reader == nil && state.pane == .list)
    state.handle(.input(.key(.escape)))
    #expect(state.pane == .list && state.search.text == "apple/swift")
    #expect(!state.isFinished)
    state = try SampleStates.issues()
    state.handle(.input(.key(.character("q"))))
    #expect(state.isFinished)
    state.handle(.input(.key(.down)))
    #expect(state.list.cursor.selection == 2)
  }

  @Test("Ctrl-C quits from every pane")
  func interrupt() throws {
    var help = try SampleStates.issues()
    help.help = KeyHelp()
    var filter = try SampleStates.issues()
    filter.filter.field = TextField("is:")
    for state in [
      help, filter, SampleStates.empty(), try SampleStates.typing(), try SampleStates.reading(),
    ] {
      var state = state
      state.handle(.input(.key(.interrupt)))
      #expect(state.isFinished)
    }
  }

  @Test("Ctrl-Z requests a suspension, and Ctrl-L a repaint")
  func counted() throws {
    var state = try SampleStates.issues()
    state.handle(.input(.key(.control("z"))))
    state.handle(.input(.key(.control("z"))))
    state.handle(.input(.key(.control("l"))))
    #expect((state.suspensions, state.repaints) == (2, 1))
  }

  @Test("the next key removes a message, and a resize doesn't")
  func message() throws {
    var state = try SampleStates.issues()
    state.message = "Opened"
    state.handle(.input(.resized(ScreenSize(columns: 90, rows: 20))))
    #expect(state.message == "Opened")
    state.handle(.input(.key(.character("x"))))
    #expect(state.message == nil)
  }
}
