import HTTPTargets
import HTTPTargetsTesting
import Testing
import URLSessionTransport

@Suite("URLSessionTransport", .timeLimit(.minutes(5)))
struct URLSessionConformanceTests {
  private static var met: [TransportConformance.Requirement] {
    TransportConformance.Requirement.allCases.filter {
      #if canImport(FoundationNetworking)
        $0 != .appliesBackPressure && $0 != .ignoresTrailers
      #else
        true
      #endif
    }
  }

  @Test("is a transport", arguments: met)
  func conforms(to requirement: TransportConformance.Requirement) async throws {
    try await TransportConformance { URLSessionTransport() }.check(requirement)
  }

  #if canImport(FoundationNetworking)
    // If one of these two fails, Foundation is mended, and the documentation of the transport must change.

    @Test("on Linux a sender never has to wait for the reader")
    func backPressure() async {
      let failure = await #expect(throws: ConformanceFailure.self) {
        try await TransportConformance { URLSessionTransport() }.check(.appliesBackPressure)
      }
      #expect(failure?.message.contains("never had to wait") == true)
    }

    @Test("on Linux a trailer ends the process")
    func trailers() async {
      await #expect(processExitsWith: .failure) {
        try? await TransportConformance { URLSessionTransport() }.check(.ignoresTrailers)
      }
    }
  #endif
}
