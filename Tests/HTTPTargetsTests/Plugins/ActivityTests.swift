import HTTPTargets
import TestSupport
import Testing

@Suite("Plugin.activity", .timeLimit(.minutes(5)))
struct ActivityTests {
  private let changes = Watched<[Plugin.Activity]>([])

  private func provider(_ transport: some Transport) -> Provider<Zoo> {
    let plugin = Plugin.activity { [changes] change, _ in changes.update { $0.append(change) } }
    return Provider<Zoo>(plugins: [plugin], transport: transport)
  }

  @Test("activity begins and ends in pairs, even with redirects and failures")
  func pairs() async {
    _ = await provider(RecordingTransport()).outcome(Zoo())
    #expect(changes.current == [.began, .ended])
    _ = await provider(RecordingTransport([.redirect(to: "/b"), .reply(.notFound)])).outcome(Zoo())
    #expect(changes.current == [.began, .ended, .began, .ended, .began, .ended])
    let failing = RecordingTransport { _ throws(NetworkError) in throw .timedOut(.total, "") }
    _ = await provider(failing).outcome(Zoo())
    #expect(changes.current.suffix(2) == [.began, .ended])
    #expect(changes.current.count == 8)
  }

  @Test("a call that isn't sent doesn't report activity")
  func notSent() async {
    _ = await provider(RecordingTransport()).outcome(Zoo(baseURL: ""))
    #expect(changes.current.isEmpty)
  }

  @Test("a canceled call reports the end of its activity")
  func cancelled() async throws {
    let transport = RecordingTransport { _ throws(NetworkError) in
      await Gate().wait()
      throw .cancelled
    }
    let provider = provider(transport)
    let call = Task { await provider.outcome(Zoo()) }
    try await transport.requests(count: 1)
    #expect(changes.current == [.began])
    call.cancel()
    #expect(await call.value.word == "cancelled")
    #expect(changes.current == [.began, .ended])
  }
}
