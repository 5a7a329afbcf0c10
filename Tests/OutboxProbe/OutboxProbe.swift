import IssueOutbox

/// Adds steps of a script to an outbox and sends them to a server on loopback, for a test that kills it:
///
///     outbox-probe API-URL OUTBOX SEED FROM TO [TOKEN]
///
/// It sends with the named token (`first`, `renewed`, `other`), and not at all without one. It prints a line for each
/// step that is in the outbox, and for each change of an entry's state.
@main
struct OutboxProbe {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 6, let seed = UInt64(arguments[3]), let first = Int(arguments[4]),
      let last = Int(arguments[5])
    else { return say("usage: outbox-probe API-URL OUTBOX SEED FROM TO [TOKEN]") }
    do {
      let person = try OutboxPerson(
        apiURL: arguments[1], path: arguments[2], script: OutboxScript(seed: seed))
      for step in person.script.steps.indices.clamped(to: first..<last) {
        if let id = try await person.add(step) { say("added \(step) \(id)") }
      }
      guard arguments.count > 6, let token = OutboxPerson.Token(rawValue: arguments[6]) else {
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
