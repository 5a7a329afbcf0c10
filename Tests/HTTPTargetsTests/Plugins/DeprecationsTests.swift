import HTTPTargets
import Logging
import TestSupport
import Testing

@Suite("Plugin.deprecations")
struct DeprecationsTests {
  private static var deprecated: TransportReply {
    .reply(
      headers: [
        .named("Deprecation"): "Tue, 10 Mar 2026 00:00:00 GMT",
        .named("Sunset"): "Fri, 10 Mar 2028 00:00:00 GMT",
      ])
  }

  @Test("a deprecation is logged once for each server, across the providers with the plugin")
  func once() async throws {
    let lines = Events([])
    let logger = Plugin.deprecations(logger: CapturedLog.logger(.notice, lines))
    for url in ["https://a.example", "https://b.example", "https://a.example"] {
      let provider = Provider<Zoo>(
        plugins: [logger], transport: RecordingTransport([Self.deprecated, Self.deprecated]))
      for _ in 0..<2 { _ = try await provider.request(Zoo(baseURL: url)) }
    }
    #expect(lines.current.count == 2)
    #expect(
      lines.current.first?.contains(
        """
        https://a.example: the requested resource is deprecated (Tue, 10 Mar 2026 00:00:00 GMT), and ends on \
        Fri, 10 Mar 2028 00:00:00 GMT
        """) == true)
  }

  @Test("a response without a deprecation isn't logged")
  func others() async throws {
    let lines = Events([])
    let logger = Plugin.deprecations(logger: CapturedLog.logger(.trace, lines))
    _ = try await Provider<Zoo>(plugins: [logger], transport: RecordingTransport([.reply()]))
      .request(Zoo())
    #expect(lines.current.isEmpty)
  }
}
