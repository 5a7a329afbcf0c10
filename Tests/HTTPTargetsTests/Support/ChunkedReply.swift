import HTTPTargets
import PlatformModules
import TestSupport

extension TransportReply {
  /// A reply whose body arrives in chunks.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: The header fields.
  ///   - chunks: The body.
  ///   - failure: What is thrown after the chunks; nil for a body that ends.
  ///   - beforeChunk: Is awaited before each chunk, and before the end.
  ///   - onDrop: Is called when the last copy of the body is gone.
  /// - Returns: The reply.
  static func chunks(
    _ status: HTTPResponse.Status, headers: HTTPFields = [:], _ chunks: [Data],
    failure: NetworkError? = nil, beforeChunk: @escaping @Sendable (Int) async -> Void = { _ in },
    onDrop: @escaping @Sendable () -> Void = {}
  ) -> TransportReply {
    let index = Watched(0)
    let guardian = Guardian(onDrop)
    return TransportReply(
      status: status, headers: headers,
      body: ResponseBody(maximumSize: .max) { () async throws(NetworkError) in
        defer { withExtendedLifetime(guardian) {} }
        let current = index.update { index in
          defer { index += 1 }
          return index
        }
        await beforeChunk(current)
        if Task.isCancelled { throw .cancelled }
        if current < chunks.count { return chunks[current] }
        if let failure { throw failure }
        return nil
      })
  }
}

extension TransportReply {
  /// A reply with status 200 whose body arrives in chunks.
  static func chunks(
    headers: HTTPFields = [:], _ chunks: [Data], failure: NetworkError? = nil,
    beforeChunk: @escaping @Sendable (Int) async -> Void = { _ in },
    onDrop: @escaping @Sendable () -> Void = {}
  ) -> TransportReply {
    .chunks(
      .ok, headers: headers, chunks, failure: failure, beforeChunk: beforeChunk, onDrop: onDrop)
  }
}

extension NetworkError {
  /// The connection broke.
  static var interrupted: NetworkError {
    .transport(TransportFailure(.interrupted, code: 18), "the connection broke")
  }
}

private final class Guardian: Sendable {
  let onDrop: @Sendable () -> Void

  init(_ onDrop: @escaping @Sendable () -> Void) {
    self.onDrop = onDrop
  }

  deinit { onDrop() }
}
