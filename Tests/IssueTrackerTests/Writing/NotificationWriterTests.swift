import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite("NotificationWriter", .timeLimit(.minutes(5)))
struct NotificationWriterTests {
  private static func github() -> LoopbackGitHub {
    var configuration = LoopbackGitHub.Configuration()
    configuration.notifications = (501...504).map { SyntheticNotification(id: $0, number: 1) }
    return LoopbackGitHub(configuration)
  }

  private func writer(_ server: LoopbackServer, token: String = "classic") throws
    -> NotificationWriter
  {
    NotificationWriter(provider: try Provider(asking: server, token: token))
  }

  @Test("each action sends its request and can be repeated")
  func actions() async throws {
    let github = Self.github()
    try await withLoopbackServer(answering: github.handler) { server in
      let writer = try writer(server)
      for _ in 0..<2 {
        try await writer.carryOut(.read, on: "501")
        try await writer.carryOut(.mute, on: "502")
        try await writer.carryOut(.unsubscribe, on: "503")
        try await writer.carryOut(.done, on: "504")
      }
      let requests = server.log.requests.map { "\($0.method) \($0.path)" }
      #expect(
        requests.prefix(4) == [
          "PATCH /notifications/threads/501", "PUT /notifications/threads/502/subscription",
          "DELETE /notifications/threads/503/subscription", "DELETE /notifications/threads/504",
        ])
      let threads = github.notifications.current
      #expect(threads.map(\.isRead) == [true, false, false, false])
      #expect(threads.map(\.isIgnored) == [false, true, false, false])
      #expect(threads.map(\.isSubscribed) == [true, false, false, true])
      #expect(threads.map(\.isDone) == [false, false, false, true])
    }
  }

  @Test("a thread that is gone counts as read, done and unsubscribed, but not as muted")
  func gone() async throws {
    try await withLoopbackServer(answering: Self.github().handler) { server in
      let writer = try writer(server)
      for action in [GitHub.NotificationAction.read, .done, .unsubscribe] {
        try await writer.carryOut(action, on: "999")
      }
      let error = await #expect(throws: NetworkError.self) {
        try await writer.carryOut(.mute, on: "999")
      }
      #expect(error?.response?.status == .notFound)
    }
  }

  @Test("a fine-grained token is refused with the kind of token that GitHub accepts")
  func fineGrained() async throws {
    try await withLoopbackServer(answering: Self.github().handler) { server in
      let writer = try writer(server, token: "github_pat_fine")
      for action in GitHub.NotificationAction.allCases {
        let error = await #expect(throws: NetworkError.self) {
          try await writer.carryOut(action, on: "501")
        }
        #expect(error?.problem.contains("only classic tokens") == true)
      }
    }
  }

  @Test("after a 404, a failure to check the token isn't taken for a refusal")
  func failedCheck() async throws {
    let github = Self.github()
    github.fail("/notifications", with: .badGateway)
    try await withLoopbackServer(answering: github.handler) { server in
      let writer = try writer(server)
      let error = await #expect(throws: NetworkError.self) {
        try await writer.carryOut(.done, on: "999")
      }
      #expect(error?.response?.status.code == 502)
    }
  }

  @Test(
    "a response of another kind isn't taken for success",
    arguments: [LoopbackWriteFault.loginPage, .foreignJSON])
  func foreign(fault: LoopbackWriteFault) async throws {
    let github = Self.github()
    try await withLoopbackServer(answering: github.handler) { server in
      let writer = try writer(server)
      for action in GitHub.NotificationAction.allCases {
        github.strike(fault)
        await #expect(throws: NetworkError.self) { try await writer.carryOut(action, on: "501") }
      }
    }
  }

  @Test("a thread whose id isn't a number is never requested")
  func hostileID() async throws {
    try await withLoopbackServer(answering: Self.github().handler) { server in
      let writer = try writer(server)
      for action in GitHub.NotificationAction.allCases {
        await #expect(throws: NetworkError.self) {
          try await writer.carryOut(action, on: "1/../../user")
        }
      }
      #expect(server.log.requestCount == 0)
    }
  }
}
