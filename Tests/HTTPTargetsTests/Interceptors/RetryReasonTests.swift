import Testing

@testable import HTTPTargets

@Suite("RetryReason")
struct RetryReasonTests {
  @Test("of all statuses five may pass")
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
    "of the failures of the network those of the connection may pass",
    arguments: [
      (.nameLookup, true), (.connection, true), (.interrupted, true), (.contentEncoding, true),
      (.certificate, false), (.tls, false), (.malformedResponse, false), (.other, false),
    ] as [(TransportFailure.Reason, Bool)])
  func transport(reason: TransportFailure.Reason, isRetried: Bool) {
    let error = NetworkError.transport(TransportFailure(reason, code: 0), "")
    #expect(RetryReason(.failure(error)) == (isRetried ? .transport(reason) : nil))
  }

  @Test(
    "of the time-outs all but the one of the whole call may pass",
    arguments: [(.connect, true), (.idle, true), (.total, false)]
      as [(NetworkError.TimedOutPhase, Bool)])
  func timeouts(phase: NetworkError.TimedOutPhase, isRetried: Bool) {
    #expect(
      RetryReason(.failure(.timedOut(phase, ""))) == (isRetried ? .timedOut(phase) : nil))
  }

  @Test(
    "no other error passes",
    arguments: [
      .requestMapping, .encoding, .cancelled, .statusCode, .rateLimited, .tooLarge,
      .insecureRedirect, .tooManyRedirects, .decoding, .transport, .timedOut,
    ] as [NetworkError.Code])
  func others(code: NetworkError.Code) {
    #expect(RetryReason(.failure(NetworkError(code, ""))) == nil)
  }

  @Test("in words")
  func words() {
    #expect("\(RetryReason.status(.serviceUnavailable))" == "status 503")
    #expect("\(RetryReason.transport(.interrupted))" == "the connection broke")
    #expect("\(RetryReason.timedOut(.idle))" == "no answer in time")
  }
}
