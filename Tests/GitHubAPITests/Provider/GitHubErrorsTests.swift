import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("Plugin.gitHubErrors", .timeLimit(.minutes(5)))
struct GitHubErrorsTests {
  private let explain: Plugin.Process

  init() throws {
    explain = try #require(Plugin.gitHubErrors().process)
  }

  private func error(_ answer: LoopbackResponse) async throws -> NetworkError? {
    try await withLoopbackServer { _ in
      answer
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server)
      do throws(NetworkError) {
        _ = try await provider.request(.userProfile(username: "ada"))
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(
    "the server's message is part of the error",
    arguments: [
      (GitHubError.badCredentials, 401, "Bad credentials"),
      (.forbidden, 403, "Resource not accessible by personal access token"),
      (.notFound, 404, "Not Found"), (.gone, 410, "Issues are disabled for this repo"),
      (.validationFailed(field: "milestone"), 422, "Validation Failed: Issue milestone invalid"),
      (.unprocessable("Pagination ends."), 422, "Pagination ends."),
      (.blocked, 451, "Repository access blocked"), (.serverError, 500, "Server Error"),
      (.badGateway, 502, "Server Error"),
      (.gatewayTimeout, 504, "We couldn't respond to your request in time."),
    ])
  func messages(answer: GitHubError, status: Int, said: String) async throws {
    let error = try #require(try await error(answer.response(now: 1_800_000_000)))
    #expect(error.code == .statusCode)
    #expect(error.response?.status.code == status)
    #expect(error.message.hasPrefix("GET http://127.0.0.1:"))
    #expect(error.message.hasSuffix("/users/ada answered with status \(status): \(said)"))
  }

  @Test(
    "the error for a body without a message has the status line, and the first line of text",
    arguments: [
      (
        LoopbackResponse.text("<!DOCTYPE html><h1>Unicorn!</h1>", status: 503),
        "503 Service Unavailable"
      ),
      (.json("<html>", status: 500), "500 Internal Server Error"),
      (.json("", status: 500), "500 Internal Server Error"),
      (.json("[]", status: 404), "404 Not Found"),
      (.json(#"{"message": ""}"#, status: 404), #"404 Not Found: {"message": ""}"#),
      (.text("upstream is down\n", status: 502), "502 Bad Gateway: upstream is down"),
    ])
  func mute(answer: LoopbackResponse, said: String) async throws {
    let error = try #require(try await error(answer))
    #expect(error.code == .statusCode)
    #expect(error.message.hasSuffix("answered with status \(said)"))
    #expect(error.response?.body == answer.body)
  }

  @Test("a token repeated by the server is masked in the message", arguments: 240...310)
  func cutToken(offset: Int) throws {
    let token = "0123456789abcdefghijklmnopqrstuvwxyz"
    let said = String(repeating: "-", count: offset) + token
    let response = TargetResponse(
      request: TargetRequest(
        url: "https://api.github.com/users/ada", headers: [.authorization: "Bearer \(token)"]),
      status: 401, body: Data(#"{"message": "\#(said)", "errors": ["\#(said)"]}"#.utf8))
    let processed = try explain(
      .failure(NetworkError(.statusCode, "it failed", response: response)),
      GitHub.userProfile(username: "ada"))
    let error = try #require(#expect(throws: NetworkError.self) { try processed.get() })
    #expect(error.message.contains("---"))
    let shown = error.message.replacing("status 401", with: "status")
    #expect(!shown.contains(where: "0123456789".contains), "\(error.message)")
  }

  @Test("an error keeps its other properties", arguments: [404, 429])
  func kept(status: Int) throws {
    struct Reason: Error {}
    let response = TargetResponse(
      request: TargetRequest(url: "https://api.github.com/users/ada"), status: .init(code: status),
      body: Data(#"{"message": "No"}"#.utf8))
    var failure = NetworkError(.statusCode, "it failed", response: response, underlying: Reason())
    failure.transportFailure = TransportFailure(.other, code: 7)
    let processed = try explain(.failure(failure), GitHub.userProfile(username: "ada"))
    let error = try #require(#expect(throws: NetworkError.self) { try processed.get() })
    #expect(error.code == (status == 429 ? .rateLimited : .statusCode))
    #expect(error.message != "it failed")
    #expect(error.underlying is Reason)
    #expect(error.transportFailure == failure.transportFailure)
  }

  @Test("hostile text becomes one short line without control characters")
  func hostile() async throws {
    for text in HostileText.samples + [String(repeating: "long ", count: 100_000)] {
      let body = try JSONEncoder().encode(["message": text])
      let answer = LoopbackResponse.json(String(decoding: body, as: UTF8.self), status: 404)
      let error = try #require(try await error(answer))
      #expect(error.message.count < 400)
      #expect(
        error.message.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .control
            && !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
        })
    }
  }

  @Test("a failure without a response and a successful response are unchanged")
  func untouched() async throws {
    #expect(try await error(.json("{}")) == nil)
    #expect(
      try await error(.json("{}", status: 403).with { $0.framing = .declaredLength(9) })?.code
        == .transport)
    let cancelled = try explain(.failure(.cancelled), GitHub.userProfile(username: "a"))
    #expect(throws: NetworkError.self) { try cancelled.get() }
  }
}
