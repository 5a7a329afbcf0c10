import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Events of a call", .timeLimit(.minutes(5)))
struct CallEventsTests {
  private static let chunk = Data(repeating: 1, count: 25)
  private static let four = Array(repeating: chunk, count: 4)

  /// A sender that waits until the reader has seen what was sent before.
  private final class Turns: Sendable {
    private let read = Watched(0)

    func wait(for count: Int) async {
      _ = try? await read.value { $0 >= count ? true : nil }
    }

    func next() {
      read.update { $0 += 1 }
    }
  }

  private func provider(_ reply: TransportReply) -> Provider<Zoo> {
    Provider<Zoo>(transport: RecordingTransport([reply]))
  }

  @Test("four equal chunks report progress in quarters, and then completion")
  func fractions() async throws {
    let turns = Turns()
    let provider = provider(
      .chunks(headers: [.contentLength: "100"], Self.four) { await turns.wait(for: $0) })
    var fractions: [Double] = []
    var bytes: [Int] = []
    var response: TargetResponse?
    for try await event in provider.events(Zoo()) {
      switch event {
      case .progress(let progress):
        #expect(response == nil)
        #expect(progress.phase == .receiving)
        #expect(progress.expectedBytes == 100)
        fractions.append(progress.fractionCompleted)
        bytes.append(progress.completedBytes)
        turns.next()
      case .completed(let answer): response = answer
      }
    }
    #expect(fractions == [0.25, 0.5, 0.75, 1])
    #expect(bytes == [25, 50, 75, 100])
    #expect(response?.body.count == 100)
  }

  @Test(
    "a body that is compressed or has no declared length reports a fraction of 0",
    arguments: [[:], [.contentLength: "7", .contentEncoding: "gzip"]] as [HTTPFields])
  func unknownLength(headers: HTTPFields) async throws {
    let turns = Turns()
    let provider = provider(.chunks(headers: headers, Self.four) { await turns.wait(for: $0) })
    var seen: [TransferProgress] = []
    var isCompleted = false
    for try await event in provider.events(Zoo()) {
      guard case .progress(let progress) = event else {
        isCompleted = true
        continue
      }
      seen.append(progress)
      turns.next()
    }
    #expect(seen.map(\.completedBytes) == [25, 50, 75, 100])
    #expect(seen.allSatisfy { $0.fractionCompleted == 0 && $0.expectedBytes == nil })
    #expect(isCompleted)
  }

  @Test("a slow reader doesn't delay the call, and then sees the newest progress and the response")
  func slowReader() async throws {
    let (isDone, events) = (Gate(), Events([]))
    let provider = Provider<Zoo>(
      plugins: [
        .activity { change, _ in if change == .ended { isDone.open() } },
        .recording(name: "A", events: events),
      ],
      transport: RecordingTransport([
        .chunks(headers: [.contentLength: "100"], Self.four)
      ]))
    var iterator = provider.events(Zoo()).makeAsyncIterator()
    guard case .progress = try await iterator.next(isolation: nil) else {
      Issue.record("no progress came first")
      return
    }
    // The whole call happens before the reader reads.
    await isDone.wait()
    _ = try await events.value { $0.last == "A process 200" ? true : nil }
    var rest: [CallEvent] = []
    while let event = try await iterator.next(isolation: nil) { rest.append(event) }
    #expect(rest.count <= 2)
    guard case .completed(let response)? = rest.last else {
      Issue.record("the answer is lost")
      return
    }
    #expect(response.body.count == 100)
    if rest.count == 2, case .progress(let progress) = rest[0] {
      #expect(progress.completedBytes == 100)
    }
  }

  @Test("a request body reports the progress of sending")
  func sending() async throws {
    struct Sender: Transport {
      func send(
        _ request: TargetRequest, onSent: SentObserver?
      ) async throws(NetworkError) -> TransportReply {
        onSent?(request.body?.size ?? 0)
        return .reply()
      }
    }
    var seen: [TransferProgress] = []
    let provider = Provider<Zoo>(transport: Sender())
    for try await event in provider.events(Zoo(method: .post, task: .data(Self.chunk))) {
      if case .progress(let progress) = event { seen.append(progress) }
    }
    #expect(seen == [TransferProgress(.sending, completed: 25, expected: 25)])
  }

  @Test("a download's progress includes the existing part")
  func resumedDownload() async throws {
    let folder = try ScratchFolder()
    let transport = RecordingTransport([
      .chunks(
        headers: [.eTag: "\"1\"", .contentLength: "100"], [Self.chunk], failure: .interrupted),
      .chunks(
        .partialContent, headers: [.contentRange: "bytes 25-99/100"],
        [Self.chunk + Self.chunk + Self.chunk]),
    ])
    let provider = Provider<Zoo>(transport: transport)
    let target = Zoo(task: .download(to: folder["file"]))
    _ = await provider.outcome(target)
    var seen: [Double] = []
    var response: TargetResponse?
    for try await event in provider.events(target) {
      switch event {
      case .progress(let progress): seen.append(progress.fractionCompleted)
      case .completed(let answer): response = answer
      }
    }
    #expect(seen == [1])
    #expect(response?.file == folder["file"])
  }

  @Test("a failure is thrown once with its type")
  func failure() async throws {
    let provider = provider(.reply(.notFound, body: "no such animal"))
    var iterator = provider.events(Zoo()).makeAsyncIterator()
    do throws(NetworkError) {
      let event = try await iterator.next(isolation: nil)
      Issue.record("\(String(describing: event)) came of it")
    } catch {
      #expect(error.code == .statusCode)
      #expect(error.response?.text() == "no such animal")
    }
    let end = try await iterator.next(isolation: nil)
    #expect(end == nil)
  }

  @Test("the bodies of errors and redirects don't report progress")
  func noProgress() async throws {
    let transport = RecordingTransport([
      TransportReply(
        status: .found, headers: [.location: "/b"],
        body: ResponseBody(Self.chunk, maximumSize: .max)),
      .reply(.notFound, body: "no such animal"),
    ])
    var count = 0
    await #expect(throws: NetworkError.self) {
      for try await _ in Provider<Zoo>(transport: transport).events(Zoo()) { count += 1 }
    }
    #expect(count == 0)
  }

  @Test("an event sequence sends nothing until it is read, and each reader makes a call")
  func lazy() async throws {
    let transport = RecordingTransport()
    let events = Provider<Zoo>(transport: transport).events(Zoo())
    _ = events.makeAsyncIterator()
    #expect(transport.requests.isEmpty)
    for _ in 0..<2 { for try await _ in events {} }
    #expect(transport.requests.count == 2)
  }

  @Test("a call is canceled when its reader leaves")
  func leaving() async throws {
    let (events, held) = (Events([]), Gate())
    let provider = Provider<Zoo>(
      plugins: [.recording(name: "A", events: events)],
      transport: RecordingTransport([
        .chunks(Self.four) { index in if index == 1 { await held.wait() } }
      ]))
    for try await _ in provider.events(Zoo()) { break }
    _ = try await events.value { $0.last == "A process cancelled" ? true : nil }
  }

  @Test("canceling the reading task cancels the call promptly")
  func cancelling() async throws {
    let (events, held) = (Events([]), Gate())
    let provider = Provider<Zoo>(
      plugins: [.recording(name: "A", events: events)],
      transport: RecordingTransport { _ throws(NetworkError) in
        await held.wait()
        throw .cancelled
      })
    let reader = Task { for try await _ in provider.events(Zoo()) {} }
    _ = try await events.value { $0.contains("A willSend") ? true : nil }
    reader.cancel()
    let error = await #expect(throws: NetworkError.self) { _ = try await reader.value }
    #expect(error?.code == .cancelled)
    _ = try await events.value { $0.last == "A process cancelled" ? true : nil }
  }

  @Test("fractions stay between 0 and 1")
  func fractionBounds() {
    #expect(TransferProgress(.sending, completed: 0, expected: 0).fractionCompleted == 1)
    #expect(TransferProgress(.sending, completed: 0, expected: 5).fractionCompleted == 0)
    #expect(TransferProgress(.receiving, completed: 9, expected: 5).fractionCompleted == 1)
    #expect(TransferProgress(.receiving, completed: 9, expected: nil).fractionCompleted == 0)
  }
}
