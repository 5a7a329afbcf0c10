import Testing

@testable import HTTPTargets

@Suite("Buffering a call's events")
struct CallEventsStateMachineTests {
  private let response = TargetResponse(
    request: TargetRequest(url: "https://zoo.example"), status: .ok)

  private func running() -> CallEventsStateMachine {
    var machine = CallEventsStateMachine()
    let starts = machine.start()
    #expect(starts)
    return machine
  }

  private func word(_ event: CallEventsStateMachine.Event?) -> String {
    switch event {
    case nil: "nothing"
    case .success(nil): "end"
    case .success(.progress(let progress)): "\(progress.completedBytes)"
    case .success(.completed): "completed"
    case .failure(let error): error.code.rawValue
    }
  }

  @Test("a call starts once")
  func start() {
    var machine = running()
    let startsAgain = machine.start()
    #expect(!startsAgain)
    let event = word(machine.readNow())
    #expect(event == "nothing")
  }

  @Test("only the newest unread progress is kept, followed by the outcome")
  func conflation() {
    var machine = running()
    for count in 1...9 {
      _ = machine.progressed(TransferProgress(.receiving, completed: count, expected: nil))
    }
    _ = machine.finished(.success(response))
    _ = machine.progressed(TransferProgress(.receiving, completed: 10, expected: nil))
    let words = (0..<4).map { _ in word(machine.readNow()) }
    #expect(words == ["9", "completed", "end", "end"])
  }

  @Test("a call canceled before its start never starts")
  func cancelledBefore() {
    var machine = CallEventsStateMachine()
    let task = machine.cancelled().task
    #expect(task == nil)
    let startsAgain = machine.start()
    #expect(!startsAgain)
    let words = [word(machine.readNow()), word(machine.readNow())]
    #expect(words == ["cancelled", "end"])
  }

  @Test("a call canceled before its task exists cancels the task later")
  func cancelledMeanwhile() {
    var machine = running()
    let task1 = machine.cancelled().task
    #expect(task1 == nil)
    let isKept = machine.started(Task {})
    #expect(!isKept)
    _ = machine.finished(.success(response))
    let words = [word(machine.readNow()), word(machine.readNow())]
    #expect(words == ["cancelled", "end"])
  }

  @Test("a call canceled while it runs returns its task once")
  func cancelledRunning() {
    var machine = running()
    let isKept = machine.started(Task {})
    #expect(isKept)
    let task2 = machine.cancelled().task
    #expect(task2 != nil)
    let task3 = machine.cancelled().task
    #expect(task3 == nil)
  }

  @Test("an existing outcome isn't lost by cancellation")
  func cancelledAfter() {
    var machine = running()
    _ = machine.finished(.success(response))
    let task4 = machine.cancelled().task
    #expect(task4 == nil)
    let event = word(machine.readNow())
    #expect(event == "completed")
  }
}
