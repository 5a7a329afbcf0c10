import HTTPTargets
import PlatformModules
import TestSupport

/// A transport that answers by a closure and keeps what it was asked to send.
struct RecordingTransport: Transport {
  typealias Answer = @Sendable (TargetRequest) async throws(NetworkError) -> TransportReply

  private let log = Watched<[TargetRequest]>([])
  private let answer: Answer

  /// Answers every request by a closure; with 200 and no body unless told otherwise.
  init(_ answer: @escaping Answer = { _ in .reply() }) {
    self.answer = answer
  }

  /// Answers the requests one after the other, and the last answer over and over, then without its body, which can be
  /// read only once.
  init(_ replies: [TransportReply]) {
    let count = Watched(0)
    self.init { _ in
      let index = count.update { count in
        defer { count += 1 }
        return count
      }
      if index < replies.count { return replies[index] }
      var last = replies[replies.count - 1]
      last.body = ResponseBody(Data(), maximumSize: 0)
      return last
    }
  }

  /// The sent requests, in order.
  var requests: [TargetRequest] { log.current }

  /// Waits until so many requests were sent.
  func requests(count: Int) async throws {
    try await log.value { $0.count >= count ? () : nil }
  }

  func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    log.update { $0.append(request) }
    return try await answer(request)
  }
}

extension TransportReply {
  /// A reply whose body is there already.
  static func reply(
    _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: String = ""
  ) -> TransportReply {
    TransportReply(
      status: status, headers: headers,
      body: ResponseBody(Data(body.utf8), maximumSize: TargetRequest.defaultMaximumBodySize))
  }

  /// A redirect.
  static func redirect(_ code: Int = 302, to location: String) -> TransportReply {
    .reply(HTTPResponse.Status(code: code), headers: [.location: location])
  }
}
