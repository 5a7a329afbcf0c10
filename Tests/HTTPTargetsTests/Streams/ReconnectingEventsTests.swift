import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Server-sent events of several connections", .timeLimit(.minutes(5)))
struct ReconnectingEventsTests {
  private let clock = TestClock()

  private static func events(
    _ text: String, then failure: NetworkError? = nil
  ) -> TransportReply {
    .chunks(
      headers: [.contentType: "text/event-stream; charset=utf-8"], [Data(text.utf8)],
      failure: failure)
  }

  /// Reads the events to their end, and moves the clock through the waits.
  private func read(
    _ transport: RecordingTransport, waits: Int
  ) async throws -> (events: [ServerSentEvent], failure: NetworkError?, waits: [Duration]) {
    let provider = Provider<Zoo>(transport: transport, clock: clock)
    let reading = Task {
      var events: [ServerSentEvent] = []
      do throws(NetworkError) {
        for try await event in provider.serverSentEvents(Zoo(), adding: [.accept: "x/y"]) {
          events.append(event)
        }
      } catch {
        return (events, error as NetworkError?)
      }
      return (events, nil)
    }
    var passed: [Duration] = []
    for _ in 0..<waits {
      try await clock.sleepers(atLeast: 1)
      passed.append(clock.advanceToNextDeadline())
    }
    let (events, failure) = await reading.value
    return (events, failure, passed)
  }

  @Test("a new connection sends the last complete ID after the server's time")
  func reconnecting() async throws {
    let transport = RecordingTransport([
      Self.events("data: a\n\n", then: .interrupted),
      Self.events("retry: 1500\nid: 7\ndata: b\n\nid: 8\n"),
      Self.events("data: c\n\nid: 9\n\n"), .reply(.noContent),
    ])
    let (events, failure, waits) = try await read(transport, waits: 3)
    let time = Duration.milliseconds(1500)
    #expect(
      events == [
        ServerSentEvent(data: "a"), ServerSentEvent(data: "b", id: "7", reconnectionTime: time),
        ServerSentEvent(data: "c", id: "7", reconnectionTime: time),
      ])
    #expect(failure == nil)
    #expect(waits == [.seconds(3), time, time])
    let ids = transport.requests.map { $0.headers[.named("Last-Event-ID")] }
    #expect(ids == [nil, nil, "7", "9"])
    #expect(transport.requests.allSatisfy { $0.headers[values: .accept] == ["x/y"] })
  }

  @Test("a connection that can't be opened again is tried until it can, at least once an hour")
  func persistence() async throws {
    let attempts = Watched(0)
    let transport = RecordingTransport { _ throws(NetworkError) in
      let attempt = attempts.update { attempts in
        attempts += 1
        return attempts
      }
      switch attempt {
      case 1: return Self.events("retry: 9223372036854775807\n\n")
      case 2: throw .interrupted
      case 3: throw .timedOut(.connect, "away")
      default: return .reply(.noContent)
      }
    }
    let (events, failure, waits) = try await read(transport, waits: 3)
    #expect(events.isEmpty && failure == nil)
    #expect(waits == [.seconds(3600), .seconds(3600), .seconds(3600)])
  }

  @Test("a server that says 0 and hangs up doesn't keep the client busy")
  func noTime() async throws {
    let transport = RecordingTransport([Self.events("retry: 0\n\n"), .reply(.noContent)])
    let (_, _, waits) = try await read(transport, waits: 1)
    #expect(waits == [.milliseconds(100)])
  }

  @Test(
    "other failures end the events",
    arguments: [
      ([], .interrupted, .transport), ([.reply(.unauthorized)], nil, .statusCode),
      ([.reply(headers: [.contentType: "text/html"], body: "data: a\n\n")], nil, .decoding),
      ([.reply()], nil, .decoding),
    ] as [([TransportReply], NetworkError?, NetworkError.Code)])
  func failures(
    replies: [TransportReply], failure: NetworkError?, code: NetworkError.Code
  ) async throws {
    let transport = RecordingTransport { _ throws(NetworkError) in
      if let failure { throw failure }
      return replies[0]
    }
    let (events, failure, _) = try await read(transport, waits: 0)
    #expect(events.isEmpty && failure?.code == code)
    #expect(transport.requests.count == 1)
  }

  @Test("a status that isn't accepted ends the events of a later connection")
  func refusal() async throws {
    let transport = RecordingTransport([Self.events("data: a\n\n"), .reply(.unauthorized)])
    let (events, failure, _) = try await read(transport, waits: 1)
    #expect(events.map(\.data) == ["a"] && failure?.code == .statusCode)
  }

  @Test("cancellation ends the wait for a new connection")
  func cancellation() async throws {
    let transport = RecordingTransport([Self.events("")])
    let provider = Provider<Zoo>(transport: transport, clock: clock)
    let reading = Task { () -> NetworkError? in
      do throws(NetworkError) {
        for try await _ in provider.serverSentEvents(Zoo()) {}
        return nil
      } catch {
        return error
      }
    }
    try await clock.sleepers(atLeast: 1)
    reading.cancel()
    #expect(await reading.value?.code == .cancelled)
  }
}
