import CurlTransport
import HTTPTargets
import HTTPTargetsTesting
import Testing

@Suite("CurlTransport", .timeLimit(.minutes(5)))
struct CurlConformanceTests {
  @Test("is a transport", arguments: TransportConformance.Requirement.allCases)
  func conforms(to requirement: TransportConformance.Requirement) async throws {
    try await TransportConformance {
      CurlTransport(configuration: .init(certificates: CertificateStore()))
    }.check(requirement)
  }
}
