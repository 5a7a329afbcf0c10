import CurlTransport
import HTTPTargets
import HTTPTargetsTesting
import PlatformModules
import TestSupport
import TestTraits
import Testing

@Suite("CurlTransport", .tags(.heavy), .timeLimit(.minutes(5)))
struct CurlConformanceTests {
  private static func transport() -> CurlTransport {
    CurlTransport(configuration: .init(certificates: CertificateStore()))
  }

  @Test("CurlTransport is a transport", arguments: TransportConformance.Requirement.allCases)
  func conforms(to requirement: TransportConformance.Requirement) async throws {
    try await TransportConformance { Self.transport() }.check(requirement)
  }

  /// Breaks promises: it ignores cancellation, collects each body first, and changes the target.
  private struct Careless: Transport {
    let transport: CurlTransport

    func send(
      _ request: TargetRequest, onSent: SentObserver?
    ) async throws(NetworkError) -> TransportReply {
      var changed = request
      changed.url += "?"
      changed.maximumBodySize = .max
      let result = await Task { [changed] in
        let reply = try await transport.send(changed)
        var body = Data()
        for try await chunk in reply.body { body += chunk }
        return TransportReply(
          status: reply.status, headers: reply.headers, body: ResponseBody(body, maximumSize: .max))
      }.result
      do { return try result.get() } catch { throw error as? NetworkError ?? .cancelled }
    }
  }

  @Test(
    "the conformance suite for transports finds the faults of a careless transport",
    arguments: [
      TransportConformance.Requirement.sendsRequestsAsTheyAre, .sendsFiles, .streams,
      .appliesBackPressure, .cancelsBeforeTheHead, .cancelsInTheBody, .sendsNothingWhenCancelled,
      .endsDroppedReplies, .limitsBodies,
    ].sampled(every: 4))
  func careless(_ requirement: TransportConformance.Requirement) async {
    await #expect(throws: ConformanceFailure.self) {
      try await TransportConformance(patience: .milliseconds(50)) {
        Careless(transport: Self.transport())
      }.check(requirement)
    }
  }
}
