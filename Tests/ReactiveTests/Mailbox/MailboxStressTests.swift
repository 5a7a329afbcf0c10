import TestSupport
import TestTraits
import Testing

@testable import Reactive

/// Races of the engine under loop and reactor. The time limit is the watchdog.
@Suite("Mailbox under stress", .tags(.heavy), .timeLimit(.minutes(10)), .serialized)
struct MailboxStressTests {
  private enum Message: Sendable {
    case change(to: Int)
    case result(of: Int)
  }

  @Test("rapid cancellation doesn't handle stale messages or leave entries in the table")
  func cancelStorm() async {
    let switches = 3_000 * stressRounds
    let mailbox = Mailbox<Message>()
    let running = Watched(0)
    let driver = Task {
      for number in 1...switches {
        await mailbox.perform(.change(to: number))
        if number.isMultiple(of: 7) { await Task.yield() }
      }
      mailbox.finish()
    }
    var effects = Effects(of: mailbox)
    var (current, lease, stale, most) = (0, EffectLease?.none, 0, 0)
    while await mailbox.handleNext(
      &effects,
      { message, _, effects in
        switch message {
        case .change(let number):
          if let lease { effects.cancel(lease) }
          current = number
          lease = effects.start { lease in
            running.update { $0 += 1 }
            while !Task.isCancelled {
              // By all means that there are: in its own task, in one that isn't cancelled, unawaited.
              await mailbox.perform(.result(of: number), from: lease)
              mailbox.post(.result(of: number), from: lease)
              await Task { await mailbox.perform(.result(of: number), from: lease) }.value
            }
            running.update { $0 -= 1 }
          }
        case .result(let number):
          if number != current { stale += 1 }
        }
        most = max(most, effects.count)
      })
    {}
    await driver.value
    #expect(stale == 0)
    #expect(current == switches)
    #expect(most == 1)
    #expect(effects.count == 0)
    try? await running.value { $0 == 0 ? () : nil }
  }

  @Test("effects that send after the end leave a thread for the drains that cancel them")
  func sendingAfterTheEnd() async {
    let mailboxes = (0..<64).map { _ in Mailbox<Bool>() }
    let sending = Watched(0)
    await withTaskGroup { group in
      for mailbox in mailboxes {
        mailbox.post(true)
        group.addTask {
          await mailbox.drain { isFirst, _, effects in
            guard isFirst else { return }
            effects.start { lease in
              sending.update { $0 += 1 }
              while !Task.isCancelled { await mailbox.perform(false, from: lease) }
            }
          }
        }
      }
      group.addTask {
        _ = try? await sending.value { $0 == mailboxes.count ? () : nil }
        for mailbox in mailboxes { mailbox.finish() }
      }
    }
    #expect(sending.current == mailboxes.count)
  }

  @Test("messages from many tasks are each handled once, and all senders resume")
  func manySenders() async {
    let (senders, each) = (8, 1_000 * stressRounds)
    let mailbox = Mailbox<(sender: Int, number: Int)>()
    async let sent: Void = withTaskGroup { group in
      for sender in 0..<senders {
        group.addTask {
          for number in 1...each {
            if number.isMultiple(of: 2) {
              mailbox.post((sender, number))
            } else {
              await mailbox.perform((sender, number))
            }
          }
        }
      }
    }
    var (last, count, wrong) = ([Int](repeating: 0, count: senders), 0, 0)
    await mailbox.drain { message, _, _ in
      if message.number != last[message.sender] + 1 { wrong += 1 }
      last[message.sender] = message.number
      count += 1
      if count == senders * each { mailbox.finish() }
    }
    await sent
    #expect(wrong == 0)
    #expect(last == Array(repeating: each, count: senders))
  }

  @Test("simultaneous finishing, canceling and sending doesn't leave a sender waiting")
  func endings() async {
    for round in 0..<500 * stressRounds {
      let mailbox = Mailbox<Int>()
      let drain = Task {
        await mailbox.drain { message, _, effects in
          effects.start { lease in await mailbox.perform(message, from: lease) }
        }
      }
      await withTaskGroup { group in
        for message in 0..<4 {
          group.addTask { await mailbox.perform(message) }
        }
        group.addTask {
          let sender = Task { await mailbox.perform(4) }
          sender.cancel()
          await sender.value
        }
        group.addTask { if round.isMultiple(of: 2) { drain.cancel() } else { mailbox.finish() } }
      }
      await drain.value
    }
  }
}
