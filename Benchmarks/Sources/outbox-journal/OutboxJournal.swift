import GitHubAPI
import IssueOutbox

/// Journals edits, each on the disk before the next, and lists them over another connection:
///
///     outbox-journal OUTBOX COUNT
///
/// It prints the seconds of both, for `Benchmarks/run`.
@main
struct OutboxJournal {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]), count > 0,
      let name = RepositoryName("o/r")
    else { return print("usage: outbox-journal OUTBOX COUNT") }
    let outbox = try Outbox(path: arguments[1])
    let clock = ContinuousClock()
    let adding = try await clock.measure {
      for number in 1...count {
        let change = IssueChange(
          title: TextChange("Title \(number)", base: "Before"), addedLabels: ["bug"])
        try await outbox.add([Intention(.edit(.number(number), change), in: name, on: .github)])
      }
    }
    var listed = 0
    let listing = try await clock.measure {
      listed = try await Outbox(path: arguments[1]).entries().count
    }
    guard listed == count else { return print("listed \(listed) of \(count) entries") }
    print("\(adding / .seconds(1)) \(listing / .seconds(1))")
  }
}
