import Testing

@testable import HTTPTargets

@Suite("RetryReason")
struct RetryReasonTests {
  @Test("five statuses are transient")
  func statuses() throws {
    let request = try Zoo().request()
    for code in 100...599 {
      let response = TargetResponse(request: request, status: .init(code: code))
      let isRetried = [408, 500, 502, 503, 504].contains(code)
      #expect(
        RetryReason(.success(response)) == (isRetried ? .status(response.status) : nil), "\(code)")
    }
  }

  @Test(
    "a network failure is transient only if it is a connection failure",
    arguments: [
      (.nameLookup, true), (.connection, true), (.interrupted, true), (.contentEncoding, true),
      (.certificate, false), (.tls, false), (.malformedResponse, false), (.other, false),
    ] as [(TransportFailure.Reason, Bool)])
  func transport(reason: TransportFailure.Reason, isRetried: Bool) {
    let error = NetworkError.transport(TransportFailure(reason, code: 0), "")
    #expect(RetryReason(.failure(error)) == (isRetried ? .transport(reason) : nil))
  }

  @Test(
    "every timeout except that of the whole call is transient",
    arguments: [(.connect, true), (.idle, true), (.total, false)]
      as [(NetworkError.TimedOutPhase, Bool)])
  func timeouts(phase: NetworkError.TimedOutPhase, isRetried: Bool) {
    #expect(
      RetryReason(.failure(.timedOut(phase, ""))) == (isRetried ? .timedOut(phase) : nil))
  }

  @Test(
    "other errors aren't transient",
    arguments: [
      .requestMapping, .encoding, .cancelled, .statusCode, .rateLimited, .tooLarge,
      .insecureRedirect, .tooManyRedirects, .decoding, .transport, .timedOut,
    ] as [NetworkError.Code])
  func others(code: NetworkError.Code) {
    #expect(RetryReason(.failure(NetworkError(code, ""))) == nil)
  }

  @Test("a retry reason has a readable description")
  func words() {
    #expect("\(RetryReason.status(.serviceUnavailable))" == "status 503")
    #expect("\(RetryReason.transport(.interrupted))" == "the connection broke")
    #expect("\(RetryReason.timedOut(.idle))" == "no response in time")
  }
}
