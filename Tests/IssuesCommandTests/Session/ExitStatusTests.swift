import GitHubAPI
import HTTPTargets
import Testing

@testable import IssuesCommand

@Suite("Exit status")
struct ExitStatusTests {
  @Test("the help lists every status with its number")
  func discussion() {
    #expect(
      ExitStatus.discussion == """
        EXIT STATUS:
           0  done
           1  another failure; for 'outbox send', a change was refused
           2  canceled (130 when Ctrl-C ends it)
           3  not found, or not visible with these credentials
           4  no credentials, or credentials that the server refuses
           5  rate limited, for longer than --wait allows
           6  network failure
           7  the server's response could not be understood
           8  done, but the server left something out
           9  outcome unknown, or a conflict: see issues outbox
          64  wrong usage, or an impossible request
          74  the output, the mirror or the outbox could not be read or written
          75  kept in the outbox, not sent yet
          78  the configuration file is invalid: see issues config
        """)
  }

  @Test(
    "the cause of a failed request determines the exit status",
    arguments: [
      (.cancelled, "cancelled"), (.rateLimited, "rateLimited"), (.absent, "notFound"),
      (.forbidden, "badCredentials"), (.refused, "usage"), (.requestMapping, "usage"),
      (.encoding, "usage"), (.transport, "network"), (.timedOut, "network"),
      (.decoding, "badAnswer"), (.tooLarge, "badAnswer"), (.insecureRedirect, "badAnswer"),
      (.tooManyRedirects, "badAnswer"), (.underlying, "failed"),
    ] as [(NetworkError.Code, String)])
  func causes(code: NetworkError.Code, status: String) {
    #expect(ExitStatus(NetworkError(code, "x")).code == status)
  }

  @Test(
    "an error response has the exit status of its kind",
    arguments: [
      (400, "usage"), (401, "badCredentials"), (403, "badCredentials"), (404, "notFound"),
      (409, "usage"), (410, "notFound"), (418, "badAnswer"), (422, "usage"), (451, "notFound"),
      (500, "network"), (503, "network"),
    ] as [(Int, String)])
  func responses(code: Int, status: String) throws {
    let response = TargetResponse(
      request: TargetRequest(url: "http://127.0.0.1/"), status: .init(code: code))
    #expect(ExitStatus(NetworkError(.statusCode, "x", response: response)).code == status)
  }
}
