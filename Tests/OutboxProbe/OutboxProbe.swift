import IssueOutbox
import TestSupport

/// Adds steps of a script to an outbox and sends them to a server on loopback, for a test that kills it:
///
///     outbox-probe FORGE URL OUTBOX SEED FROM TO [TOKEN]
///
/// The forge is `github`, `forgejo` or `gitea`. It sends with the named token (`first`, `renewed`, `other`), and not at
/// all without one. It prints a line for each step that is in the outbox, and for each change of an entry's state.
@main
struct OutboxProbe {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 7, let forge = LoopbackForge(rawValue: arguments[1]),
      let seed = UInt64(arguments[4]), let first = Int(arguments[5]), let last = Int(arguments[6])
    else { return say("usage: outbox-probe FORGE URL OUTBOX SEED FROM TO [TOKEN]") }
    do {
      let person = try OutboxPerson(
        url: arguments[2], path: arguments[3], script: OutboxScript(seed: seed, forge: forge))
      for step in person.script.steps.indices.clamped(to: first..<last) {
        if let id = try await person.add(step) { say("added \(step) \(id)") }
      }
      guard arguments.count > 7, let token = OutboxPerson.Token(rawValue: arguments[7]) else {
        return
      }
      for try await event in person.send(as: token, isFlawed: true) {
        switch event {
        case .changed(let entry): say("changed \(entry.id) \(entry.state)")
        case .waiting(_, let reason): say("waiting \(reason)")
        case .uploading(let id, _, let count): say("uploading \(id) \(count)")
        }
      }
    } catch {
      // An error thrown from here would be a crash, and one that takes its time.
      say("failed: \(error)")
    }
  }

  private static func say(_ text: String) {
    OutboxPerson.write("\(text)\n", to: 1)
  }
}
