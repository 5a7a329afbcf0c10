import Foundation
import Testing

@testable import TestSupport

@Suite("Write faults of the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackWriteFaultTests {
  private static let issue = #"{"title":"once","body":"b"}"#

  /// How many issues have the title that these tests send.
  private static func count(_ github: LoopbackGitHub) -> Int {
    github.issues(of: github.configuration.repositories[0]).filter { $0.title == "once" }.count
  }

  /// The status of an answer; nil where there was none.
  private static func status(
    _ client: WritingClient, _ method: String = "POST", _ path: String = "/issues",
    _ body: String? = issue
  ) async -> Int? {
    try? await client.send(method, path, body).status
  }

  @Test(
    "each fault determines whether a write is applied and gets a response",
    arguments: [
      (LoopbackWriteFault.requestLost, nil, 0), (.answerLost, nil, 1), (.answerCut, nil, 1),
      (.badGateway, 502, 0), (.badGatewayAfterCommit, 502, 1), (.contentLimit, 403, 0),
      (.contentLimitWithTime, 403, 0), (.unauthorized, 401, 0), (.otherIssue, 201, 1),
      (.otherRepository, 201, 1),
    ] as [(LoopbackWriteFault, Int?, Int)])
  func once(fault: LoopbackWriteFault, status: Int?, count: Int) async throws {
    try await withWritableGitHub { github, client in
      github.strike(fault)
      #expect(await Self.status(client) == status)
      #expect(Self.count(github) == count)
      #expect(github.receipts.map(\.fault) == [fault])
      #expect(github.receipts.map(\.isCommitted) == [count == 1])
      #expect(await Self.status(client) == 201)
      #expect(Self.count(github) == count + 1)
    }
  }

  @Test("a delayed commit happens once, a few requests after the connection ended")
  func delayed() async throws {
    try await withWritableGitHub {
      $0.writeFaults = LoopbackWriteFaults()
      $0.writeFaults?.delay = 3
    } perform: { github, client in
      github.strike(.commitDelayed)
      #expect(await Self.status(client) == nil)
      var counts: [Int?] = []
      for _ in 1...4 {
        counts.append(try await client.send("GET", "/issues?creator=octocat").json.elements?.count)
      }
      #expect(counts == [0, 0, 1, 1])
      github.strike(.commitDelayed)
      #expect(await Self.status(client) == nil)
      #expect(Self.count(github) == 1)
      github.settle()
      github.settle()
      #expect(Self.count(github) == 2)
      #expect(github.receipts.map(\.isCommitted) == [true, true])
    }
  }

  @Test("a commit can be delayed by the clock")
  func delayedInSeconds() async throws {
    let time = Watched(1_790_000_000)
    try await withWritableGitHub {
      $0.now = { Date(timeIntervalSince1970: Double(time.current)) }
      $0.writeFaults = LoopbackWriteFaults()
      $0.writeFaults?.delayInSeconds = 5
    } perform: { github, client in
      github.strike(.commitDelayed)
      #expect(await Self.status(client) == nil)
      var counts: [Int] = []
      for _ in 1...6 {
        _ = try await client.send("GET", "/issues")
        counts.append(Self.count(github))
        time.update { $0 += 1 }
      }
      #expect(counts == [0, 0, 0, 0, 0, 1])
    }
  }

  @Test("the content limit is reported with and without a time, as recorded")
  func contentLimit() async throws {
    try await withWritableGitHub { github, client in
      github.strike(.contentLimit)
      github.strike(.contentLimitWithTime)
      let plain = try await client.send("POST", "/issues", Self.issue)
      let timed = try await client.send("POST", "/issues", Self.issue)
      #expect(plain.headers["Retry-After"] == nil && timed.headers["Retry-After"] == "60")
      guard RecordedExchanges.folder != nil else { return }
      let recorded = try RecordedExchanges(file: "writes-12-errors-handmade.json").exchanges
      #expect(plain.body == recorded[0].body)
      #expect(timed.body == recorded[1].body)
    }
  }

  @Test("issues and comments are limited per minute, and other writes aren't")
  func contentPerMinute() async throws {
    try await withWritableGitHub {
      $0.contentPerMinute = 2
    } perform: { _, client in
      #expect(await Self.status(client) == 201)
      #expect(
        await Self.status(client, "POST", "/issues/1/comments", #"{"body":"b"}"#) == 201)
      #expect(await Self.status(client) == 403)
      #expect(await Self.status(client, "PATCH", "/issues/1", #"{"title":"t"}"#) == 200)
    }
  }

  @Test("a token becomes invalid at the configured write")
  func unauthorized() async throws {
    try await withWritableGitHub {
      $0.writeFaults = LoopbackWriteFaults()
      $0.writeFaults?.unauthorizedFrom = 3
    } perform: { _, client in
      var answers: [Int?] = []
      for _ in 1...4 {
        answers.append(await Self.status(client))
        _ = try await client.send("GET", "/issues")
      }
      #expect(answers == [201, 201, 401, 401])
    }
  }

  @Test("a hostile response names another issue or another repository's issue")
  func hostile() async throws {
    try await withWritableGitHub { github, client in
      github.strike(.otherIssue, times: 3)
      let created = try await client.send("POST", "/issues", Self.issue)
      #expect(created.json["number"] == .number(8))
      #expect(created.headers["Location"]?.hasSuffix("/issues/8") == true)
      let edited = try await client.send("PATCH", "/issues/1", #"{"title":"t"}"#)
      #expect(edited.json["number"] == .number(3) && edited.json["title"] == .string("t"))
      let comment = try await client.send("POST", "/issues/1/comments", #"{"body":"b"}"#)
      #expect(comment.json["issue_url"]?.text?.hasSuffix("/issues/3") == true)
      github.strike(.otherRepository)
      let elsewhere = try await client.send("PATCH", "/issues/1", #"{"title":"u"}"#)
      #expect(
        elsewhere.json["html_url"] == .string("https://github.com/mallory/elsewhere/issues/1"))
      #expect(github.issues(of: github.configuration.repositories[0])[0].title == "u")
    }
  }

  @Test("a fault applies only to matching writes")
  func strikes() async throws {
    try await withWritableGitHub { github, client in
      github.strike(.badGateway, after: 1) { $0.path.hasSuffix("/comments") }
      let comment = #"{"body":"b"}"#
      #expect(await Self.status(client) == 201)
      #expect(await Self.status(client, "POST", "/issues/1/comments", comment) == 201)
      #expect(await Self.status(client) == 201)
      #expect(await Self.status(client, "POST", "/issues/1/comments", comment) == 502)
      #expect(await Self.status(client, "POST", "/issues/1/comments", comment) == 201)
    }
  }

  @Test("the same seed strikes the same writes, and no write is committed twice")
  func shares() async throws {
    func run(seed: UInt64) async throws -> [LoopbackWriteFault?] {
      let faults = Watched<[LoopbackWriteFault?]>([])
      try await withWritableGitHub {
        $0.writeFaults = LoopbackWriteFaults(share: 0.5, seed: seed)
      } perform: { github, client in
        for number in 1...40 {
          _ = await Self.status(client, "POST", "/issues", #"{"title":"n\#(number)"}"#)
        }
        github.settle()
        let receipts = github.receipts
        faults.update { $0 = receipts.map(\.fault) }
        let titles = github.issues(of: github.configuration.repositories[0]).map(\.title)
        for (place, receipt) in receipts.enumerated() {
          let count = titles.filter { $0 == "n\(place + 1)" }.count
          #expect(count == (receipt.isCommitted ? 1 : 0))
        }
      }
      return faults.current
    }
    let first = try await run(seed: 1)
    #expect(try await run(seed: 1) == first)
    #expect(try await run(seed: 2) != first)
    #expect((5...35).contains(first.compactMap(\.self).count))
  }

  @Test("state and receipts have separate paths that aren't counted")
  func privatePaths() async throws {
    try await withWritableGitHub(issues: 2) { github, client in
      _ = try await client.send("POST", "/issues", Self.issue)
      _ = try await client.send("POST", "/issues/3/comments", #"{"body":"first"}"#)
      _ = try await client.send("POST", "/issues/3/comments", #"{"body":"second"}"#)
      #expect(try await client.send("POST", "//_loopback/strike?fault=no").status == 422)
      let strike = try await client.send("POST", "//_loopback/strike?fault=commit-delayed")
      #expect(strike.status == 204)
      _ = await Self.status(client)
      let state = try await client.send("GET", "//_loopback/state?changed=1").json
      #expect(state["pending"] == .number(1))
      let repository = try #require(state.at("repositories.0"))
      #expect(repository["full_name"] == .string("swiftlang/swift"))
      #expect(repository.at("issues.0.comments")?.texts("body") == ["first", "second"])
      #expect(repository["issues"]?.elements?.count == 1)
      #expect(try await client.send("POST", "//_loopback/settle").status == 204)
      let all = try await client.send("GET", "//_loopback/state").json
      #expect(all.at("repositories.0.issues")?.elements?.count == 4)
      let requests = try await client.send("GET", "//_loopback/requests").json
      #expect(requests.texts("method") == ["POST", "POST", "POST", "POST"])
      #expect(requests.at("0.body") == .string(Self.issue))
      #expect(requests.at("3.fault") == .string("commit-delayed"))
      #expect(requests.at("3.committed") == .bool(true))
      #expect(github.receipts.map(\.number) == [1, 2, 3, 4])
    }
  }

  @Test("receipts can include reads")
  func reads() async throws {
    try await withWritableGitHub {
      $0.keepsReads = true
    } perform: { github, client in
      _ = try await client.send("GET", "/issues")
      _ = await Self.status(client)
      #expect(github.receipts.map(\.method) == ["GET", "POST"])
      #expect(github.receipts.map(\.status) == [200, 201])
    }
  }
}
