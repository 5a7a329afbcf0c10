import Foundation
import HTTPTargets
import Testing

@testable import IssuesOfName

@Suite("Issues of a name", .timeLimit(.minutes(1)))
struct IssuesOfNameTests {
  private static let list = "/issues?state=open&per_page=20"

  private func session() async throws -> Session {
    try await Session { input, setup in
      let provider = Provider.tracker(apiURL: setup.url, transport: setup.transport)
      let reachability = setup.reachability { (try? await provider.request(.limits)) != nil }
      return IssueTrackerModel(provider: provider, reachability: reachability)
        .trackIssues(of: input)
    }
  }

  @Test("a name is looked up, and its issues are listed under the server's name")
  func renamed() async throws {
    let session = try await session()
    session.type("apple/swift")
    try await session.server.next().answer(#"{"full_name": "swiftlang/swift"}"#)
    try await session.server.next().answer(#"[{"number": 7, "title": "It\u001b[2J crashes"}]"#)
    await session.expect("swiftlang/swift\n  #7 It[2J crashes")
    await session.end()
    #expect(
      await session.server.targets == ["/repos/apple/swift", "/repos/swiftlang/swift\(Self.list)"])
  }

  @Test("a newer name drops either request of the older one on the wire", arguments: [1, 2])
  func superseded(request: Int) async throws {
    let session = try await session()
    session.type("old/name")
    var dropped = try await session.server.next()
    if request == 2 {
      try await dropped.answer(#"{"full_name": "old/name"}"#)
      dropped = try await session.server.next()
    }
    let typed = ContinuousClock.now
    session.type("new/name")
    // It never got an answer, and the newer name hasn't one yet.
    let seen = try await dropped.dropped()
    print("IssuesOfName: request \(request) dropped after \(typed.duration(to: seen))")
    try await session.server.next().answer(#"{"full_name": "new/name"}"#)
    try await session.server.next().answer("[]")
    await session.expect("new/name")
    await session.end()
  }

  @Test("the end of a limit is told, and the next name is asked for")
  func limit() async throws {
    let session = try await session()
    session.type("a/b")
    try await session.server.next().refuse(until: limitEnd)
    await session.expect("a/b: the limit is reached until 2033-05-18T03:33:20Z")
    session.type("c/d")
    try await session.server.next().answer("{}", status: 404)
    let line = await session.line()
    #expect(line?.hasPrefix("c/d: ") == true && line?.contains("404") == true)
    await session.end()
  }

  @Test("back from offline, the name is asked for once more")
  func offline() async throws {
    let session = try await session()
    try await session.goOfflineAndBack(while: { session.type("a/b") }, says: "a/b: offline")
    try await session.server.next().answer(#"{"full_name": "a/b"}"#)
    try await session.server.next().answer("[]")
    await session.expect("a/b")
    await session.end()
    #expect(
      await session.server.targets == ["/rate_limit", "/repos/a/b", "/repos/a/b\(Self.list)"])
  }

  @Test("what isn't a name is told without a request")
  func misspelt() async throws {
    let session = try await session()
    session.type("swift")
    await session.expect("swift: use OWNER/NAME")
    await session.end()
    #expect(await session.server.targets.isEmpty)
  }
}
