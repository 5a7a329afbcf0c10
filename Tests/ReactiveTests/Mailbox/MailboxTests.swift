import ConcurrencyPrimitives
import TestSupport
import Testing

@testable import Reactive

@Suite("Mailbox", .timeLimit(.minutes(5)))
struct MailboxTests {
  @Test("messages are handled in arrival order, including those sent before the drain")
  func order() async {
    let mailbox = Mailbox<Int>()
    for message in 0..<100 {
      mailbox.post(message)
    }
    var handled: [Int] = []
    await mailbox.drain { message, _, _ in
      handled.append(message)
      if message < 100 { mailbox.post(message + 100) }
      if handled.count == 200 { mailbox.finish() }
    }
    #expect(handled == Array(0..<200))
  }

  @Test("a message posted inside a step is handled after the whole step")
  func notNested() async {
    let mailbox = Mailbox<String>()
    var trace: [String] = []
    mailbox.post("outer")
    await mailbox.drain { message, _, _ in
      trace.append("\(message) begins")
      if message == "outer" { mailbox.post("inner") } else { mailbox.finish() }
      trace.append("\(message) ends")
    }
    #expect(trace == ["outer begins", "outer ends", "inner begins", "inner ends"])
  }

  @Test("perform returns after its message is handled")
  func performed() async {
    let mailbox = Mailbox<Int>()
    let handled = Locked(0)
    let drain = Task { await mailbox.drain { message, _, _ in handled.withLock { $0 = message } } }
    for message in 1...100 {
      await mailbox.perform(message)
      #expect(handled.withLock { $0 } == message)
    }
    mailbox.finish()
    await drain.value
  }

  @Test("a waiting message is discarded when its sender is canceled")
  func withdrawn() async {
    for round in 0..<200 {
      let mailbox = Mailbox<Int>()
      let sender = Task { await mailbox.perform(1) }
      // From before it sends until long after: when its message is in the queue can't be seen.
      for _ in 0..<round % 20 { await Task.yield() }
      sender.cancel()
      await sender.value
      mailbox.post(2)
      var handled: [Int] = []
      await mailbox.drain { message, _, _ in
        handled.append(message)
        if message == 2 { mailbox.finish() }
      }
      #expect(handled == [2])
    }
  }

  @Test("finish() resumes all waiting senders, even without a drain")
  func finishWithoutDrain() async {
    let mailbox = Mailbox<Int>()
    await withTaskGroup { group in
      for message in 0..<10 {
        group.addTask { await mailbox.perform(message) }
      }
      mailbox.finish()
    }
    await mailbox.perform(10)
    await mailbox.drain { message, _, _ in Issue.record("\(message) was handled") }
  }

  @Test("no message is handled after a step calls finish()")
  func finishInStep() async {
    let mailbox = Mailbox<Int>()
    for message in 0..<10 {
      mailbox.post(message)
    }
    var handled: [Int] = []
    await mailbox.drain { message, _, _ in
      handled.append(message)
      if message == 3 { mailbox.finish() }
    }
    mailbox.post(10)
    #expect(handled == [0, 1, 2, 3])
  }

  @Test("a finished mailbox releases its contents")
  func letsGo() {
    let mailbox = Mailbox<Gate>()
    weak var before: Gate?
    weak var after: Gate?
    do {
      let (queued, late) = (Gate(), Gate())
      (before, after) = (queued, late)
      mailbox.post(queued)
      mailbox.finish()
      mailbox.post(late)
    }
    #expect(before == nil)
    #expect(after == nil)
  }

  @Test("canceling the draining task ends the drain and cancels every effect")
  func cancelledDrain() async {
    let mailbox = Mailbox<Int>()
    let cancelled = Watched(0)
    let started = Watched(0)
    let drain = Task {
      await mailbox.drain { _, _, effects in
        effects.start { _ in
          started.update { $0 += 1 }
          await cancellation()
          cancelled.update { $0 += 1 }
        }
      }
    }
    for message in 0..<5 {
      mailbox.post(message)
    }
    try? await started.value { $0 == 5 ? () : nil }
    drain.cancel()
    await drain.value
    try? await cancelled.value { $0 == 5 ? () : nil }
    // The drain has ended, so it must not wait.
    await mailbox.perform(6)
  }
}
