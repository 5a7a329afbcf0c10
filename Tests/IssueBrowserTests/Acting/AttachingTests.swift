import IssueTracker
import TerminalScreen
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Attaching a file on the screen")
struct AttachingTests {
  @Test("a file that is dropped on a list or an issue begins a comment")
  func dropped() throws {
    let path = PastedPath("/tmp/shot.png")
    for keys in [[], [InputEvent.Key.enter]] {
      var state = ActingDrawingTests.pressing(keys, in: try SampleStates.issues(80, 24))
      let effects = state.handle(.input(.paste("'/tmp/shot.png'")))
      #expect(state.acting.isComposing)
      guard case .begin(.acting(.compose(.comment(let issues, path))))? = effects.last else {
        Issue.record("it doesn't begin a comment: \(effects)")
        return
      }
      #expect(issues.count == 1)
    }
  }

  @Test("a file that is dropped on a text field is text")
  func droppedOnField() throws {
    var state = ActingDrawingTests.pressing(
      [.character("f")], in: try SampleStates.issues(80, 24))
    state.handle(.input(.paste("/tmp/shot.png")))
    #expect(!state.acting.isComposing)
    #expect(state.filter.field?.text.hasSuffix("/tmp/shot.png") == true)
  }

  @Test("the upload of a large file is shown as a bar")
  func progress() throws {
    var state = try SampleStates.issues(80, 24)
    let change = RepositoryChange(
      .comment(on: .number(12), body: "Look"), in: try RepositoryReference(parsing: "a/b"))
    let batch = state.acting.begin([change], "comment on #12")
    state.acting[batch: batch.id]?.phase = .sending
    let video = Attachment(id: "0", name: "demo.mp4", kind: .mp4, size: 10 << 20, url: nil)
    let upload = ActingState.Upload(video, completedBytes: 6 << 20)
    state.handle(.result(.acting(.uploading(upload, batch: batch.id)), of: .acting(.follow)))
    #expect(state.batchWords == "Sending: comment on #12, uploading demo.mp4 ██████░░░░ 60%")
    state.look.symbols = .ascii
    #expect(state.batchWords == "Sending: comment on #12, uploading demo.mp4 ######.... 60%")
    state.look.symbols = .plain
    #expect(state.batchWords == "Sending: comment on #12, uploading demo.mp4 60%")
    let small = Attachment(id: "0", name: "a.png", kind: .png, size: 1_000, url: nil)
    #expect(ActingState.Upload(small, completedBytes: 10) == nil)
  }
}
