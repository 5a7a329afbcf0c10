internal import HTTPTypes
internal import Locking

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The innermost step of a call: one request through the transport, seen by the plugins.
struct Attempt: Sendable {
  let call: Call
  let transport: any Transport
  let plugins: [any Plugin]
  let followsRedirects: Bool
  /// Where the body goes, when the call's delivery is a file.
  var download: Download?
  var onProgress: TransferProgress.Observer?
  let count = Locked(0)

  func send(_ request: Request) async throws(NetworkError) -> Response {
    guard let download else { return try await sendOnce(request) }
    try await download.begin()
    let result: Result<Response, NetworkError>
    do throws(NetworkError) {
      let response = try await sendOnce(try await download.request(request))
      // The part that is there belongs to nothing that the server has: now for the whole.
      result = .success(
        await download.isToBeAskedAgain
          ? try await sendOnce(try await download.request(request)) : response)
    } catch {
      result = .failure(error)
    }
    await download.end()
    return try result.get()
  }

  private func sendOnce(_ request: Request) async throws(NetworkError) -> Response {
    count.withLock { $0 += 1 }
    for plugin in plugins { plugin.willSend(request, target: call.target) }
    let result: Result<Response, NetworkError>
    do throws(NetworkError) {
      result = .success(try await exchange(request))
    } catch {
      result = .failure(error)
    }
    for plugin in plugins { plugin.didReceive(result, target: call.target) }
    return try result.get()
  }

  private func exchange(_ request: Request) async throws(NetworkError) -> Response {
    let elapsed = call.clock.stopwatch()
    let reply = try await reply(to: request)
    var response = Response(request: request, status: reply.status, headers: reply.headers)
    response.timings.head = elapsed()
    // A redirect that is followed isn't the answer, even to a target that takes any status.
    let isAnswer = !(followsRedirects && response.isRedirect)
    try await take(reply.body, isAnswer: isAnswer, into: &response)
    response.timings.total = elapsed()
    if response.file == nil, response.unreadBody == nil, let truncation = response.truncation {
      throw truncation
    }
    return response
  }

  private func reply(to request: Request) async throws(NetworkError) -> TransportReply {
    guard let onProgress, let size = request.body?.size else {
      return try await transport.send(request)
    }
    return try await transport.send(request) { sent in
      onProgress(TransferProgress(.sending, completed: sent, expected: size))
    }
  }

  /// Reads the body, or leaves it to be read, as the call wants it.
  private func take(
    _ body: ResponseBody, isAnswer: Bool, into response: inout Response
  ) async throws(NetworkError) {
    let validation = call.target.validation
    if isAnswer, let download,
      let action = try await download.receive(response, validation: validation)
    {
      try await self.download(body, to: download, action, &response)
      return
    }
    if isAnswer { call.didReceiveHead(response) }
    let isValid = isAnswer && validation.accepts(response.status)
    if isValid, call.delivery == .stream {
      response.unreadBody = body
      return
    }
    // What isn't delivered as a file or a stream is taken into memory, where their sizes don't fit.
    let limit = call.delivery == .whole ? Int.max : Request.defaultMaximumBodySize
    guard isValid, let onProgress else {
      response.body = try await body.collect(atMost: limit)
      return
    }
    let expected = response.expectedSize
    response.body = try await body.collect(atMost: limit) { count in
      onProgress(TransferProgress(.receiving, completed: count, expected: expected))
    }
  }

  private func download(
    _ body: ResponseBody, to download: Download, _ action: DownloadStateMachine.Action,
    _ response: inout Response
  ) async throws(NetworkError) {
    let offset: Int
    let total: Int?
    switch action {
    case .askAgain: return
    case .refuse(let why):
      throw NetworkError(
        .decoding, "\(response.request) can't be downloaded: \(why)", response: response)
    case .startAnew(let size): (offset, total) = (0, size)
    case .append(let start, let size):
      (offset, total) = (start, size)
      // Put together, the parts are a 200 (RFC 9110, section 15.3.7.3).
      response.status = .ok
      response.headers[.contentRange] = nil
      response.headers[.contentLength] = "\(size)"
    }
    call.didReceiveHead(response)
    let size = try await write(body, to: download, from: offset, of: total, response.request)
    guard size == total ?? size else {
      throw .transport(
        TransportFailure(.interrupted, code: 0),
        "the answer to \(response.request) ended after \(size) of \(total ?? 0) bytes")
    }
    try await download.finish()
    response.file = download.path
  }

  /// Writes a body, and gives the size that the file has then.
  private func write(
    _ body: ResponseBody, to download: Download, from offset: Int, of total: Int?,
    _ request: Request
  ) async throws(NetworkError) -> Int {
    var size = offset
    var buffer = Data()
    var iterator = body.makeAsyncIterator()
    do throws(NetworkError) {
      while let chunk = try await iterator.next(isolation: nil) {
        size += chunk.count
        guard max(size, total ?? 0) <= request.maximumBodySize else {
          throw NetworkError(
            .tooLarge, "the body is longer than \(request.maximumBodySize) bytes")
        }
        // Of a part the transport may not know the length, and so not where it ends.
        guard size <= total ?? size else {
          throw .transport(
            TransportFailure(.interrupted, code: 0),
            "the answer to \(request) goes on after \(total ?? 0) bytes")
        }
        if buffer.isEmpty { buffer = chunk } else { buffer.append(chunk) }
        if buffer.count >= Download.bufferSize {
          try await download.append(buffer)
          buffer = Data()
        }
        onProgress?(TransferProgress(.receiving, completed: size, expected: total))
      }
    } catch {
      // So that the next attempt can go on from the last byte that arrived.
      try? await download.append(buffer)
      throw error
    }
    try await download.append(buffer)
    return size
  }
}
