import TestSupport
import Testing

@testable import Reactive

@Suite("Effects of a mailbox", .timeLimit(.minutes(5)))
struct EffectsTests {
  private let mailbox = Mailbox<String>()

  /// Handles messages until one is `last`.
  private func handle(
    _ effects: inout Effects<String>, until last: String
  ) async -> [String] {
    var handled: [String] = []
    while handled.last != last,
      await mailbox.handleNext(&effects, { message, _, _ in handled.append(message) })
    {}
    return handled
  }

  @Test("messages of a canceled effect never reach a step, even queued ones")
  func cancelled() async {
    var effects = Effects(of: mailbox)
    let posted = Gate()
    let lease = effects.start { [mailbox] lease in
      mailbox.post("stale", from: lease)
      posted.open()
      await cancellation()
      mailbox.post("late", from: lease)
    }
    await posted.wait()
    #expect(effects.isRunning(lease))
    effects.cancel(lease)
    #expect(!effects.isRunning(lease))
    #expect(effects.count == 0)
    mailbox.post("last")
    #expect(await handle(&effects, until: "last") == ["last"])
  }

  @Test("an effect waiting for its message resumes when it is canceled")
  func cancelledWhilePerforming() async {
    var effects = Effects(of: mailbox)
    let returned = Gate()
    let lease = effects.start { [mailbox] lease in
      // The waiting task itself isn't cancelled, so it is the drain that has to drop the message.
      await Task { await mailbox.perform("stale", from: lease) }.value
      returned.open()
    }
    effects.cancel(lease)
    mailbox.post("last")
    #expect(await handle(&effects, until: "last") == ["last"])
    let drain = Task { [mailbox] in await mailbox.drain { _, _, _ in } }
    await returned.wait()
    drain.cancel()
    await drain.value
  }

  @Test("an effect that returns leaves the table, and none of its messages is handled later")
  func returned() async {
    var effects = Effects(of: mailbox)
    let leases = (0..<10).map { number in
      effects.start { [mailbox] lease in
        await mailbox.perform("\(number)", from: lease)
      }
    }
    #expect(effects.count == 10)
    var handled: Set<String> = []
    while effects.count > 0 {
      // Wakes the drain, which takes out the effects that have returned.
      mailbox.post("look")
      _ = await mailbox.handleNext(&effects) { message, _, _ in handled.insert(message) }
      await Task.yield()
    }
    #expect(handled.subtracting(["look"]) == Set((0..<10).map(String.init)))
    for lease in leases {
      #expect(!effects.isRunning(lease))
      mailbox.post("late", from: lease)
    }
    mailbox.post("last")
    #expect(await !handle(&effects, until: "last").contains("late"))
  }

  @Test("finish() empties the table")
  func finished() async {
    var effects = Effects(of: mailbox)
    let cancelled = Watched(0)
    for _ in 0..<10 {
      effects.start { _ in
        await cancellation()
        cancelled.update { $0 += 1 }
      }
    }
    mailbox.finish()
    #expect(await !mailbox.handleNext(&effects) { _, _, _ in })
    #expect(effects.count == 0)
    try? await cancelled.value { $0 == 10 ? () : nil }
  }
}
