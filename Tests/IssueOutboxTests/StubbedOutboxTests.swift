import IssueOutbox
import TestSupport
import Testing

@Suite("An outbox with stubs", .timeLimit(.minutes(1)))
struct StubbedOutboxTests {
  @Test("the documentation's example works with stubs")
  func documentation() async throws {
    let folder = try ScratchFolder()
    let outbox = try Outbox(path: "\(folder.path)/outbox-example/outbox.db")
    let repository = try #require(RepositoryName("swiftlang/swift"))
    let issue = NewIssue(title: "The linker crashes")
    let creation = try await outbox.add([
      Intention(.createIssue(issue), in: repository, on: .github)
    ])[0]
    let comment = Change.comment(on: .number(85_968), body: "See new-\(creation.id).")
    try await outbox.add([Intention(comment, in: repository, on: .github)])
    let provider = Provider.gitHub(.stubbed())
    var bodies: [String] = []
    for try await event in outbox.send(
      options: .fast, connect: { _ in OutboxConnection(provider: provider) })
    {
      if case .changed(let entry) = event, case .comment(_, let body) = entry.change,
        entry.state == .sent
      {
        bodies.append(body)
      }
    }
    #expect(bodies == ["See #85969."])
  }
}
