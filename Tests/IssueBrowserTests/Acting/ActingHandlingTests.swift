import GitHubAPI
import IssueTracker
import TerminalScreen
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Changing issues with the keyboard")
struct ActingHandlingTests {
  /// A list whose issue #85954, the third, is selected.
  static func list() throws -> BrowserState { try SampleStates.issues() }

  private static func press(
    _ keys: InputEvent.Key..., in state: inout BrowserState
  ) -> [BrowserState.Effect] {
    keys.reduce(into: []) { $0 += state.handle(.input(.key($1))) }
  }

  private static func type(_ text: String, in state: inout BrowserState) {
    for letter in text { state.handle(.input(.key(.character(letter)))) }
  }

  private static func batch(_ state: BrowserState) -> ActingState.Batch? {
    state.acting.batches.last
  }

  @Test("x asks for a reason, and Enter closes the issue with that reason")
  func close() throws {
    var state = try Self.list()
    let asked = Self.press(.character("x"), in: &state)
    let place = try RepositoryReference(parsing: "swiftlang/swift")
    #expect(asked == [.begin(.acting(.check([place], revision: 1)))])
    Self.type("np", in: &state)
    #expect(Self.press(.enter, in: &state) == [.begin(.acting(.submit(batch: 1)))])
    #expect(Self.batch(state)?.changes.map(\.change) == [.close(.number(85_954), .notPlanned)])
    #expect(Self.batch(state)?.changes.map(\.repository) == [place])
    #expect(state.acting.dialog == nil)
    #expect(state.batchWords == "Saving: close #85954 as not planned")
  }

  @Test("only GitHub's issues are closed with a reason", arguments: [1, 2])
  func lackingReasons(revision: Int) throws {
    var state = try Self.list()
    _ = Self.press(.character("x"), in: &state)
    let place = try RepositoryReference(parsing: "swiftlang/swift")
    state.handle(
      .result(
        .acting(.lacksReasons(revision: revision)),
        of: .acting(.check([place], revision: revision))))
    guard case .picker(let picker)? = state.acting.dialog else {
      Issue.record("The question is gone")
      return
    }
    let all = ["completed", "not planned", "duplicate"]
    #expect(picker.items.map(\.text) == (revision == 1 ? ["completed"] : all))
  }

  @Test("Enter on a list in which nothing matches changes nothing and leaves it open")
  func nothingMatches() throws {
    var state = try Self.list()
    _ = Self.press(.character("L"), in: &state)
    Self.type("zzz", in: &state)
    #expect(Self.press(.enter, in: &state) == [])
    #expect(state.acting.dialog != nil && state.message == nil)
  }

  @Test("in a window that is too small to show a question, no key answers it")
  func tooSmall() throws {
    var state = try Self.list()
    _ = Self.press(.character("x"), in: &state)
    state.handle(.input(.resized(ScreenSize(columns: 3, rows: 1))))
    #expect(Self.press(.enter, in: &state) == [])
    #expect(state.acting.dialog != nil && state.acting.batches.isEmpty)
  }

  @Test("Esc closes the question and changes nothing")
  func leave() throws {
    var state = try Self.list()
    #expect(Self.press(.character("x"), .escape, in: &state).count == 1)
    #expect(state.acting.dialog == nil && state.acting.batches.isEmpty)
    #expect(state.pane == .list)
  }

  @Test("a duplicate's original is chosen by its number or by words of its title")
  func duplicate() throws {
    for (typed, number) in [("#7", 7), ("crashes", 85_968)] {
      var state = try Self.list()
      _ = Self.press(.character("x"), in: &state)
      Self.type("dup", in: &state)
      #expect(Self.press(.enter, in: &state) == [])
      Self.type(typed, in: &state)
      _ = Self.press(.enter, in: &state)
      #expect(
        Self.batch(state)?.changes.map(\.change) == [
          .close(.number(85_954), .duplicate, duplicateOf: number)
        ])
    }
  }

  @Test("an issue isn't a duplicate of itself")
  func ownDuplicate() throws {
    var state = try Self.list()
    _ = Self.press(.character("x"), in: &state)
    Self.type("dup", in: &state)
    _ = Self.press(.enter, in: &state)
    Self.type("85954", in: &state)
    _ = Self.press(.enter, in: &state)
    #expect(state.acting.batches.isEmpty)
    #expect(state.message == "An issue isn't a duplicate of itself.")
  }

  @Test("closing a closed issue or reopening an open one is refused")
  func needless() throws {
    var state = try Self.list()
    #expect(Self.press(.character("X"), in: &state) == [])
    #expect(state.message == "#85954 is already open.")
    _ = Self.press(.character("j"), in: &state)
    #expect(Self.press(.character("x"), in: &state) == [])
    #expect(state.message == "#85947 is already closed.")
    #expect(Self.press(.character("X"), in: &state) == [.begin(.acting(.submit(batch: 1)))])
    #expect(Self.batch(state)?.changes.map(\.change) == [.reopen(.number(85_947))])
  }

  @Test("u undoes the newest change until the change is being sent")
  func undo() throws {
    var state = try Self.list()
    _ = Self.press(.character("x"), .enter, in: &state)
    let work = BrowserWork.acting(.submit(batch: 1))
    state.handle(.result(.acting(.added([4], batch: 1)), of: work))
    #expect(state.batchWords == "Waiting: close #85954 as completed (u undoes)")
    let batch = try #require(Self.batch(state))
    var other = state
    #expect(Self.press(.character("u"), in: &other) == [.begin(.acting(.undo(batch)))])
    #expect(other.acting.newest == nil && other.batchWords == nil)
    other.handle(.result(.acting(.phase(.sending, batch: 1)), of: work))
    #expect(Self.batch(other)?.phase == .undoing)
    other.handle(.result(.acting(.undone(batch, failure: nil)), of: .acting(.undo(batch))))
    #expect(other.acting.batches.isEmpty)
    state.handle(.result(.acting(.phase(.sending, batch: 1)), of: work))
    #expect(Self.press(.character("u"), in: &state) == [])
    #expect(state.message?.hasPrefix("Can't be undone") == true)
    state.handle(.result(.acting(.ended(batch: 1)), of: work))
    #expect(state.message == "Done: close #85954 as completed")
    _ = Self.press(.character("u"), in: &state)
    #expect(state.message?.hasPrefix("There is nothing to undo") == true)
  }

  @Test("a change that is undone before it is saved is dropped after it is saved")
  func earlyUndo() throws {
    var state = try Self.list()
    #expect(Self.press(.character("x"), .enter, .character("u"), in: &state).count == 2)
    let effects = state.handle(
      .result(.acting(.added([4], batch: 1)), of: .acting(.submit(batch: 1))))
    guard case .begin(.acting(.undo(let batch)))? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(batch.entries == [4])
    #expect(state.acting.newest == nil)
    state.handle(.result(.acting(.undone(batch, failure: nil)), of: .acting(.undo(batch))))
    #expect(state.acting.batches.isEmpty)
  }

  @Test("the browser quits once its change is saved, and stays open if saving fails")
  func quit() throws {
    var state = try Self.list()
    #expect(Self.press(.character("x"), .enter, .interrupt, in: &state).count == 2)
    #expect(!state.isFinished)
    var failing = state
    let work = BrowserWork.acting(.submit(batch: 1))
    #expect(
      state.handle(.result(.acting(.added([1], batch: 1)), of: work)) == [.cancelAll])
    #expect(state.isFinished)
    failing.handle(.result(.acting(.notAdded("No room.\nMake some.", batch: 1)), of: work))
    #expect(!failing.isFinished)
    #expect(failing.acting.notice?.lines == ["No room.", "Make some."])
    _ = Self.press(.escape, in: &failing)
    #expect(failing.acting.notice == nil && failing.pane == .list)
    _ = Self.press(.interrupt, in: &failing)
    #expect(failing.isFinished)
  }

  @Test("the browser quits once an undone change is dropped, and stays open if dropping fails")
  func quitUndone() throws {
    var state = try Self.list()
    _ = Self.press(.character("x"), .enter, .character("u"), .interrupt, in: &state)
    let submitted = BrowserWork.acting(.submit(batch: 1))
    let effects = state.handle(.result(.acting(.added([4], batch: 1)), of: submitted))
    guard case .begin(.acting(.undo(let batch)))? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(!state.isFinished)
    let undone = BrowserWork.acting(.undo(batch))
    var failing = state
    let done = state.handle(.result(.acting(.undone(batch, failure: nil)), of: undone))
    #expect(done == [.cancelAll])
    #expect(state.isFinished)
    failing.handle(.result(.acting(.undone(batch, failure: "No room.")), of: undone))
    #expect(!failing.isFinished)
    #expect(failing.acting.notice?.lines == ["No room."])
  }

  @Test("the browser waits for both of two unsaved changes before it quits")
  func quitTwo() throws {
    var state = try Self.list()
    _ = Self.press(.character("x"), .enter, .character("k"), .character("x"), .enter, in: &state)
    _ = Self.press(.interrupt, in: &state)
    for id in [1, 2] {
      #expect(!state.isFinished)
      state.handle(
        .result(.acting(.added([Int64(id)], batch: id)), of: .acting(.submit(batch: id))))
    }
    #expect(state.isFinished)
  }

  @Test("while the editor is open, only Ctrl-C has an effect")
  func composing() throws {
    var state = try Self.list()
    let place = try RepositoryReference(parsing: "swiftlang/swift")
    let work = BrowserWork.acting(.compose(.edit(number: 85_954, of: place)))
    #expect(Self.press(.character("e"), in: &state) == [.begin(work)])
    #expect(BrowserScreen.canvas(of: state).text.contains("Opening your editor…"))
    #expect(Self.press(.character("e"), .character("x"), .character("q"), in: &state) == [])
    #expect(state.acting.dialog == nil && !state.isFinished)
    var left = state
    _ = Self.press(.interrupt, in: &left)
    #expect(left.isFinished)
    for result in [ActingResult.composed(nil), .notComposed("No editor.")] {
      var ended = state
      ended.handle(.result(.acting(result), of: work))
      #expect(!BrowserScreen.canvas(of: ended).text.contains("Opening your editor…"))
      #expect(Self.press(.character("e"), in: &ended) == [.begin(work)])
    }
  }

  @Test("a late refusal of a closed question doesn't appear on the outbox page or a preview")
  func lateRefusal() throws {
    let place = try RepositoryReference(parsing: "swiftlang/swift")
    let refusal = BrowserState.Event.result(
      .acting(.refused("No token.", revision: 1)), of: .acting(.check([place], revision: 1)))
    var state = try Self.list()
    _ = Self.press(.character("x"), .escape, .character("O"), in: &state)
    state.handle(refusal)
    #expect(state.acting.dialog == .outbox(OutboxPage()))
    #expect(state.acting.notice == nil)
    state = try Self.list()
    _ = Self.press(.character(" "), .character(" "), .character("x"), .escape, in: &state)
    _ = Self.press(.character("c"), in: &state)
    state.handle(refusal)
    guard case .preview? = state.acting.dialog else {
      Issue.record("\(String(describing: state.acting.dialog))")
      return
    }
  }

  @Test("a refusal closes its own question, and no later question")
  func refused() throws {
    var state = try Self.list()
    _ = Self.press(.character("x"), .escape, .character("x"), in: &state)
    let place = try RepositoryReference(parsing: "swiftlang/swift")
    state.handle(
      .result(
        .acting(.refused("No token.", revision: 1)), of: .acting(.check([place], revision: 1))))
    #expect(state.acting.dialog != nil)
    let revision = state.acting.revision
    state.handle(
      .result(
        .acting(.refused("No token.", revision: revision)),
        of: .acting(.check([place], revision: revision))))
    #expect(state.acting.dialog == nil)
    #expect(state.acting.notice?.lines == ["No token."])
  }

  @Test(
    "typed letters narrow a list of names, with the best match first",
    arguments: [
      ("", ["completed", "not planned", "duplicate"]), ("ot", ["not planned", "completed"]),
      ("npl", ["not planned"]), ("d", ["duplicate", "completed", "not planned"]),
      ("not p", ["not planned"]), ("zz", []),
    ])
  func narrowing(typed: String, names: [String]) throws {
    var picker = Picker(
      .closing, "Close #1", action: "close",
      items: ["completed", "not planned", "duplicate"].map { Picker.Item(id: $0, text: $0) })
    picker.edit(.insert(typed))
    #expect(picker.matches.map { picker.items[$0.index].id } == names)
  }
}
