import Foundation
import GitHubAPI
import HTTPTargets
import Testing

@testable import IssueOutbox

@Suite("Verdicts on failed changes")
struct SendVerdictTests {
  private static func error(
    _ code: NetworkError.Code, bytesSent: Int? = nil
  ) -> NetworkError {
    var error = NetworkError(code, "words")
    error.bytesSent = bytesSent
    return error
  }

  private static func status(_ status: Int, _ body: String = "", bytesSent: Int? = nil)
    throws -> NetworkError
  {
    let request = try Endpoint(GitHub.ownProfile).request()
    var error = NetworkError(
      .statusCode, "words",
      response: TargetResponse(
        request: request, status: .init(code: status), body: Data(body.utf8)))
    error.bytesSent = bytesSent
    return error
  }

  @Test("a broken connection leaves a creation uncertain, unless no bytes were sent")
  func connections() {
    for code in [NetworkError.Code.transport, .timedOut] {
      for bytes in [nil, 1, 500] {
        let error = Self.error(code, bytesSent: bytes)
        #expect(SendVerdict(error, countsEachTime: true) == .uncertain("words"))
        #expect(SendVerdict(error, countsEachTime: false) == .later("words"))
      }
      let unsent = Self.error(code, bytesSent: 0)
      #expect(SendVerdict(unsent, countsEachTime: true) == .stop)
      #expect(SendVerdict(unsent, countsEachTime: false) == .stop)
    }
    #expect(
      SendVerdict(Self.error(.cancelled, bytesSent: 0), countsEachTime: true) == .stop)
    #expect(SendVerdict(Self.error(.cancelled), countsEachTime: true) == .uncertain("words"))
    #expect(SendVerdict(Self.error(.cancelled), countsEachTime: false) == .stop)
  }

  @Test(
    "an unreadable response is treated as a lost one",
    arguments: [NetworkError.Code.decoding, .tooLarge, .init(rawValue: "of a later version")])
  func answers(code: NetworkError.Code) {
    #expect(SendVerdict(Self.error(code), countsEachTime: true) == .uncertain("words"))
    #expect(SendVerdict(Self.error(code), countsEachTime: false) == .later("words"))
    // An answer to a look about another issue is what a renamed repository gives: its new name is looked up.
    #expect(
      SendVerdict(Self.error(code, bytesSent: 0), countsEachTime: true)
        == (code == .decoding ? .moved : .refused("words")))
  }

  @Test(
    "a status means a refusal, an uncertain result or a reason to stop",
    arguments: [
      (400, "refused"), (401, "stop"), (403, "refused"), (404, "refused"), (408, "uncertain"),
      (409, "refused"), (410, "refused"), (422, "refused"), (451, "refused"), (301, "moved"),
      (307, "moved"), (308, "moved"), (500, "uncertain"), (502, "uncertain"), (503, "uncertain"),
    ])
  func statuses(status: Int, expected: String) throws {
    let verdict = SendVerdict(try Self.status(status), countsEachTime: true)
    #expect("\(verdict)".hasPrefix(expected))
    // Such as a label that was looked up first.
    let unsent = SendVerdict(try Self.status(status, bytesSent: 0), countsEachTime: true)
    #expect("\(unsent)".hasPrefix(expected == "uncertain" ? "later" : expected))
  }

  @Test("too many failed logins stop all sending, whatever the status")
  func attempts() throws {
    let error = try Self.status(
      403, #"{"message":"Maximum number of login attempts exceeded. Please try again later."}"#)
    #expect(SendVerdict(error, countsEachTime: true) == .stop)
  }

  @Test("a rate limit has an end time if the server sends one")
  func limits() {
    var error = Self.error(.rateLimited)
    #expect(SendVerdict(error, countsEachTime: true) == .limited(nil))
    error.retryDate = Date(timeIntervalSince1970: 7)
    #expect(SendVerdict(error, countsEachTime: true) == .limited(error.retryDate))
  }

  @Test("GraphQL refusals and invalid requests are refusals")
  func refusals() {
    for code in [NetworkError.Code.refused, .requestMapping, .encoding, .tooManyRedirects] {
      #expect(SendVerdict(Self.error(code), countsEachTime: true) == .refused("words"))
    }
  }
}

@Suite("The pace of the outbox")
struct OutboxPaceTests {
  private let date = Date(timeIntervalSince1970: 1_790_000_000)

  @Test("the outbox sends at once after a pause, and otherwise waits for the strictest limit")
  func next() {
    let pace = OutboxPace(interval: .seconds(1), perMinute: 3, perHour: 5)
    #expect(pace.next(after: [], at: date) == date)
    #expect(pace.next(after: [date - 2], at: date) == date)
    #expect(pace.next(after: [date - 0.25], at: date) == date + 0.75)
    #expect(pace.next(after: [date - 30, date - 20, date - 10], at: date) == date + 30)
    #expect(pace.next(after: [date - 50, date - 30, date - 20, date - 10], at: date) == date + 30)
    let hour = [date - 3_000, date - 2_000, date - 1_000, date - 900, date - 800]
    #expect(pace.next(after: hour, at: date) == date + 600)
    // A clock that was set back.
    #expect(pace.next(after: [date + 9_000], at: date) == date)
  }
}
