import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Downloads to a file", .timeLimit(.minutes(5)))
struct DownloadTests {
  private static let whole = Data("0123456789".utf8)
  private static let headers: HTTPFields = [.eTag: "\"1\"", .contentLength: "10"]

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func target(
    resuming: Bool = true, validation: Validation = .successCodes, name: String = "file"
  ) -> Zoo {
    Zoo(task: .download(to: folder[name], resuming: resuming), validation: validation)
  }

  private func provider(
    _ transport: some Transport, plugins: [Plugin] = [], interceptors: [any Interceptor] = []
  ) -> Provider<Zoo> {
    Provider<Zoo>(plugins: plugins, interceptors: interceptors, transport: transport)
  }

  /// The first bytes, and then the connection breaks.
  private func broken(after count: Int) -> TransportReply {
    .chunks(headers: Self.headers, [Self.whole.prefix(count)], failure: .interrupted)
  }

  private func rest(from count: Int, tag: String = "\"1\"") -> TransportReply {
    .chunks(
      .partialContent, headers: [.contentRange: "bytes \(count)-9/10", .eTag: tag],
      [Self.whole.dropFirst(count)])
  }

  /// Tries again once after a failure.
  struct RetryingOnce: Interceptor {
    func intercept(
      _ request: TargetRequest, call: TargetCall, next: Next
    ) async throws(NetworkError) -> TargetResponse {
      do throws(NetworkError) {
        return try await next(request)
      } catch {
        return try await next(request)
      }
    }
  }

  @Test("a download writes only its file, and the response names that file")
  func whole() async throws {
    let transport = RecordingTransport([.chunks(headers: Self.headers, [Self.whole])])
    let response = try await provider(transport).request(target())
    #expect(response.file == folder["file"])
    #expect(response.body.isEmpty)
    #expect(folder.contents("file") == Self.whole)
    #expect(folder.names == ["file"])
    let request = try #require(transport.requests.first)
    #expect(request.headers == [.acceptEncoding: "identity"])
    #expect(request.maximumBodySize == .max)
    #expect("\(response)".contains(folder["file"]))
  }

  @Test("an endless part ends at the size of the file", .timeLimit(.minutes(5)))
  func endlessPart() async throws {
    let chunk = Data(repeating: 0x21, count: Self.whole.count)
    let read = Watched(0)
    let endless = TransportReply.chunks(
      .partialContent, headers: [.contentRange: "bytes 4-9/10", .eTag: "\"1\""],
      Array(repeating: chunk, count: 1000), beforeChunk: { _ in read.update { $0 += 1 } })
    let transport = RecordingTransport([broken(after: 4), endless])
    let outcomes = [
      await provider(transport).outcome(target()), await provider(transport).outcome(target()),
    ]
    #expect(outcomes.map(\.word) == ["transport", "transport"])
    #expect(read.current == 1)
    #expect(folder.contents("file") == nil)
    #expect(folder.contents(".file.partial") == Self.whole.prefix(4))
  }

  @Test("a downloaded file has the default permissions of its folder")
  func permissions() async throws {
    let transport = RecordingTransport([.chunks(headers: Self.headers, [Self.whole])])
    try folder.write(Data(), to: "any")
    let descriptor = open(folder["made"], O_CREAT | O_WRONLY | O_CLOEXEC, 0o666)
    close(descriptor)
    _ = try await provider(transport).request(target())
    #expect(folder.permissions("file") == folder.permissions("made"))
  }

  @Test("many chunks larger than the write buffer arrive in order")
  func manyChunks() async throws {
    var chunks: [Data] = []
    for index in 0..<300 { chunks.append(Data(repeating: UInt8(index % 251), count: 4099)) }
    let transport = RecordingTransport([.chunks(chunks)])
    _ = try await provider(transport).request(target())
    #expect(folder.contents("file") == chunks.reduce(Data(), +))
  }

  @Test("the old file is kept during a download, and the new one is private")
  func middle() async throws {
    try folder.write(Data("old".utf8), to: "file")
    let (gate, isThere) = (Gate(), Gate())
    let half = Data(repeating: 7, count: 300_000)
    let transport = RecordingTransport([
      .chunks(
        headers: [.eTag: "\"1\""], [half, half],
        beforeChunk: { index in
          guard index == 1 else { return }
          isThere.open()
          await gate.wait()
        })
    ])
    let (provider, target) = (provider(transport), target())
    let call = Task { try await provider.request(target) }
    await isThere.wait()
    #expect(folder.contents("file") == Data("old".utf8))
    #expect(folder.names == [".file.partial", ".file.partial.json", "file"])
    #expect(folder.permissions(".file.partial") == 0o600)
    #expect(folder.permissions(".file.partial.json") == 0o600)
    // More than is gathered: it is in the file already.
    #expect(folder.contents(".file.partial") == half)
    gate.open()
    _ = try await call.value
    #expect(folder.contents("file") == half + half)
    #expect(folder.names == ["file"])
  }

  @Test("a failed download keeps the old file and the partial file")
  func failure() async throws {
    try folder.write(Data("old".utf8), to: "file")
    let outcome = await provider(RecordingTransport([broken(after: 4)])).outcome(target())
    #expect(outcome.word == "transport")
    #expect(folder.contents("file") == Data("old".utf8))
    #expect(folder.contents(".file.partial") == Self.whole.prefix(4))
  }

  @Test("a canceled download keeps its partial file, and the next call requests the rest")
  func cancelled() async throws {
    let isThere = Gate()
    let transport = RecordingTransport([
      .chunks(
        headers: Self.headers, [Self.whole.prefix(4), Data()],
        beforeChunk: { index in
          guard index == 1 else { return }
          isThere.open()
          await Gate().wait()
        }), rest(from: 4),
    ])
    let (provider, target) = (provider(transport), target())
    let call = Task { await provider.outcome(target) }
    await isThere.wait()
    call.cancel()
    #expect(await call.value.word == "cancelled")
    _ = try await provider.request(target)
    #expect(transport.requests.last?.headers[.range] == "bytes=4-")
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("a partial file without an identifiable version isn't kept", arguments: [true, false])
  func notKept(resuming: Bool) async throws {
    let headers: HTTPFields = resuming ? [.eTag: "W/\"1\""] : Self.headers
    let transport = RecordingTransport([
      .chunks(headers: headers, [Data("0123".utf8)], failure: .interrupted)
    ])
    _ = await provider(transport).outcome(target(resuming: resuming))
    #expect(folder.names == [])
  }

  @Test("a retry resumes the partial file", arguments: 1...9)
  func retried(after count: Int) async throws {
    let transport = RecordingTransport([broken(after: count), rest(from: count)])
    let provider = provider(transport, interceptors: [RetryingOnce()])
    let response = try await provider.request(target(validation: .codes([200])))
    #expect(folder.contents("file") == Self.whole)
    #expect(folder.names == ["file"])
    #expect(response.attempts == 2)
    #expect(response.status == .ok)
    #expect(response.headers == [.eTag: "\"1\"", .contentLength: "10"])
    #expect(
      transport.requests.last?.headers == [
        .acceptEncoding: "identity", .range: "bytes=\(count)-", .ifRange: "\"1\"",
      ])
  }

  @Test("each later call resumes the partial file")
  func nextCalls() async throws {
    let transport = RecordingTransport([
      broken(after: 2),
      .chunks(
        .partialContent, headers: [.contentRange: "bytes 2-9/10"], [Data("234".utf8)],
        failure: .interrupted), rest(from: 5),
    ])
    for _ in 0..<2 { #expect(await provider(transport).outcome(target()).word == "transport") }
    _ = try await provider(transport).request(target())
    #expect(transport.requests.map { $0.headers[.range] } == [nil, "bytes=2-", "bytes=5-"])
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("a changed version is received whole")
  func otherVersion() async throws {
    let transport = RecordingTransport([
      broken(after: 8), .chunks(headers: [.eTag: "\"2\""], [Data("abc".utf8)]),
    ])
    _ = await provider(transport).outcome(target())
    _ = try await provider(transport).request(target())
    #expect(folder.contents("file") == Data("abc".utf8))
    #expect(folder.names == ["file"])
  }

  @Test("a range that is unsatisfiable or wrong causes one request for the whole file")
  func askedAgain() async throws {
    let odd: [TransportReply] = [
      .reply(HTTPResponse.Status(code: 416)), rest(from: 3), rest(from: 4, tag: "\"2\""),
      .chunks(.partialContent, [Self.whole]),
    ]
    for reply in odd {
      let events = Events([])
      let transport = RecordingTransport([
        broken(after: 4), reply, .chunks(headers: Self.headers, [Self.whole]),
      ])
      let provider = provider(transport, plugins: [.recording(name: "A", events: events)])
      _ = await provider.outcome(target())
      let response = try await provider.request(target())
      #expect(folder.contents("file") == Self.whole)
      #expect(folder.names == ["file"])
      #expect(transport.requests.map { $0.headers[.range] } == [nil, "bytes=4-", nil])
      #expect(response.attempts == 2)
      #expect(
        events.current == [
          "A prepare", "A willSend", "A didReceive transport", "A process transport",
          "A prepare", "A willSend", "A didReceive \(reply.status.code)", "A willSend",
          "A didReceive 200", "A process 200",
        ])
    }
  }

  @Test("a body shorter than declared doesn't become the file")
  func short() async throws {
    let transport = RecordingTransport([
      .chunks(headers: Self.headers, [Data("012".utf8)]), rest(from: 3),
    ])
    #expect(await provider(transport).outcome(target()).word == "transport")
    #expect(folder.contents("file") == nil)
    _ = try await provider(transport).request(target())
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("the body of an error is in the error, and the file isn't touched", arguments: [404, 503])
  func errors(status: Int) async throws {
    try folder.write(Data("old".utf8), to: "file")
    let transport = RecordingTransport([.reply(HTTPResponse.Status(code: status), body: "why")])
    let error = await #expect(throws: NetworkError.self) {
      _ = try await provider(transport).request(target())
    }
    #expect(error?.code == .statusCode)
    #expect(error?.response?.text() == "why")
    #expect(folder.names == ["file"])
    #expect(folder.contents("file") == Data("old".utf8))
  }

  @Test("an error between two attempts keeps the partial file")
  func errorInBetween() async throws {
    let transport = RecordingTransport([
      broken(after: 4), .reply(.serviceUnavailable), rest(from: 4),
    ])
    for word in ["transport", "statusCode", "200"] {
      #expect(await provider(transport).outcome(target()).word == word)
    }
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("a non-2xx response is kept in memory, even if the target accepts it")
  func takenErrors() async throws {
    let transport = RecordingTransport([.reply(.notFound, body: "none")])
    let response = try await provider(transport).request(target(validation: .none))
    #expect(response.file == nil)
    #expect(response.text() == "none")
    #expect(folder.names == [])
  }

  @Test(
    "redirects are followed to the file, and their bodies aren't written",
    arguments: [Validation.successCodes, .none])
  func redirects(validation: Validation) async throws {
    let transport = RecordingTransport([
      .redirect(to: "https://files.example/1"), broken(after: 4),
      .redirect(to: "https://files.example/2"), rest(from: 4),
    ])
    let target = target(validation: validation)
    _ = await provider(transport).outcome(target)
    let response = try await provider(transport).request(target)
    #expect(response.redirects == ["https://zoo.example/animals"])
    #expect(transport.requests.map { $0.headers[.range] } == [nil, nil, "bytes=4-", "bytes=4-"])
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("a stub is downloaded like a response of the network")
  func stub() async throws {
    let provider = Provider<Zoo>(
      stubClosure: { _ in .immediate }, transport: RecordingTransport())
    let response = try await provider.request(target())
    #expect(response.file == folder["file"])
    #expect(folder.contents("file") == Data("sample".utf8))
  }

  @Test("two downloads to one path both finish without mixing bytes")
  func atOnce() async throws {
    let (gate, isThere) = (Gate(), Gate())
    let slow = RecordingTransport([
      .chunks(
        headers: Self.headers, [Data("slow ".utf8), Data("slow\n".utf8)],
        beforeChunk: { index in
          guard index == 1 else { return }
          isThere.open()
          await gate.wait()
        })
    ])
    let (slowProvider, target) = (provider(slow), target())
    let slowCall = Task { try await slowProvider.request(target) }
    await isThere.wait()
    let quick = RecordingTransport([broken(after: 4), .chunks([Data("quick".utf8)])])
    // Nobody but the owner of the shared one keeps anything.
    #expect(await provider(quick).outcome(target).word == "transport")
    #expect(folder.names == [".file.partial", ".file.partial.json"])
    _ = try await provider(quick).request(target)
    #expect(quick.requests.map { $0.headers[.range] } == [nil, nil])
    #expect(folder.contents("file") == Data("quick".utf8))
    gate.open()
    _ = try await slowCall.value
    #expect(folder.contents("file") == Data("slow slow\n".utf8))
    #expect(folder.names == ["file"])
  }

  @Test(
    "a download to an unwritable path sends nothing", arguments: ["none/file", ".", "pipe", ""])
  func unwritable(name: String) async throws {
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    let transport = RecordingTransport()
    let error = await #expect(throws: NetworkError.self) {
      _ = try await provider(transport).request(target(name: name))
    }
    #expect(error?.code == .writing)
    #expect(error?.message.contains(folder[name]) == true)
    #expect(transport.requests.isEmpty)
    #expect(folder.names == ["pipe"])
  }

  @Test("a HEAD request isn't downloaded, and a download isn't streamed")
  func contradictions() async throws {
    let transport = RecordingTransport()
    var head = target()
    head.method = .head
    #expect(await provider(transport).outcome(head).word == "requestMapping")
    let error = await #expect(throws: NetworkError.self) {
      _ = try await provider(transport).stream(target())
    }
    #expect(error?.code == .requestMapping)
    #expect(transport.requests.isEmpty)
  }

  @Test("a symbolic link is followed and remains a link")
  func symbolicLink() async throws {
    try folder.write(Data("old".utf8), to: "real")
    #expect(symlink("real", folder["file"]) == 0)
    let transport = RecordingTransport([.chunks([Self.whole])])
    let response = try await provider(transport).request(target())
    #expect(response.file == folder["file"])
    #expect(folder.contents("real") == Self.whole)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder["file"]) == "real")
  }

  @Test("a replaced download keeps its permissions", arguments: [0o600, 0o640, 0o755])
  func keptPermissions(mode: Int) async throws {
    let path = try folder.write(Data("old".utf8), to: "file")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    _ = try await provider(RecordingTransport([.chunks([Self.whole])])).request(target())
    #expect(folder.contents("file") == Self.whole)
    #expect(folder.permissions("file") == mode)
  }

  @Test(
    "another user's symbolic link is replaced and not followed",
    .enabled(if: geteuid() == 0, "only root can make files of other users"))
  func linkOfAnother() async throws {
    try folder.write(Data("precious".utf8), to: "victim")
    #expect(symlink("victim", folder["file"]) == 0)
    #expect(lchown(folder["file"], 54_321, 54_321) == 0)
    _ = try await provider(RecordingTransport([.chunks([Self.whole])])).request(target())
    #expect(folder.contents("victim") == Data("precious".utf8))
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("a hard link at the partial file's path keeps its contents and permissions")
  func plantedName() async throws {
    let victim = try folder.write(Data("precious".utf8), to: "victim")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: victim)
    #expect(link(victim, folder[".file.partial"]) == 0)
    let transport = RecordingTransport([.chunks(headers: Self.headers, [Self.whole])])
    _ = try await provider(transport).request(target())
    #expect(folder.contents("victim") == Data("precious".utf8))
    #expect(folder.permissions("victim") == 0o644)
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("another user's link at the partial file's path isn't written through")
  func plantedLink() async throws {
    try folder.write(Data("precious".utf8), to: "victim")
    #expect(symlink("victim", folder[".file.partial"]) == 0)
    let transport = RecordingTransport([.chunks(headers: Self.headers, [Self.whole])])
    _ = try await provider(transport).request(target())
    #expect(folder.contents("victim") == Data("precious".utf8))
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("a broken or foreign record starts the download over", arguments: ["{", "{}", ""])
  func brokenRecord(text: String) async throws {
    try folder.write(Data("xxxx".utf8), to: ".file.partial")
    try folder.write(Data(text.utf8), to: ".file.partial.json")
    let transport = RecordingTransport([.chunks(headers: Self.headers, [Self.whole])])
    _ = try await provider(transport).request(target())
    #expect(transport.requests.first?.headers[.range] == nil)
    #expect(folder.contents("file") == Self.whole)
  }

  @Test("a download can have a name of the maximum length")
  func longNames() async throws {
    for letter in ["a", "é"] {
      let name = String(repeating: letter, count: 255 / letter.utf8.count)
      let transport = RecordingTransport([broken(after: 4), rest(from: 4)])
      _ = await provider(transport).outcome(target(name: name))
      _ = try await provider(transport).request(target(name: name))
      #expect(folder.contents(name) == Self.whole)
    }
  }

  @Test("the size limit applies to the whole file, including the part that already exists")
  func tooLarge() async throws {
    let transport = RecordingTransport([
      .chunks([Self.whole]), broken(after: 4), rest(from: 4), .chunks([Self.whole]),
    ])
    func outcome(_ size: Int) async -> String {
      await Provider<Zoo>(
        endpointClosure: { target throws(NetworkError) in
          var endpoint = try Endpoint(target)
          endpoint.maximumBodySize = size
          return endpoint
        }, transport: transport
      ).outcome(target()).word
    }
    #expect(await outcome(9) == "tooLarge")
    #expect(await outcome(10) == "transport")
    #expect(await outcome(9) == "tooLarge")
    #expect(folder.contents("file") == nil)
  }

  @Test("an interceptor receives the delivery of the call")
  func delivery() async throws {
    struct Notes: Interceptor {
      let events: Events

      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        events.note("\(call.delivery)")
        return try await next(request)
      }
    }
    let events = Events([])
    let provider = provider(RecordingTransport(), interceptors: [Notes(events: events)])
    _ = try await provider.request(target())
    _ = try await provider.request(Zoo())
    _ = try await provider.stream(Zoo())
    #expect(events.current == ["file", "whole", "stream"])
  }
}
