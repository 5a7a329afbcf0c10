public import HTTPTypes
public import PlatformModules

/// The result of a stub: a response, a failure, or a sequence of these.
public struct SampleResponse: Sendable {
  enum Answer: Sendable {
    case response(HTTPResponse.Status, HTTPFields, Data)
    case failure(NetworkError)
  }

  let answers: [Answer]

  /// Creates a response.
  public static func response(
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Data = Data()
  ) -> SampleResponse {
    SampleResponse(answers: [.response(status, headers, body)])
  }

  /// Creates a network failure. To simulate a request that didn't reach a server, set ``NetworkError/bytesSent`` to 0.
  /// Otherwise the number is unknown, and ``RetryInterceptor`` doesn't repeat a `POST`.
  public static func failure(_ error: NetworkError) -> SampleResponse {
    SampleResponse(answers: [.failure(error)])
  }

  /// Creates a sequence. Each attempt, redirect and call gets the next response, and the last response repeats. A
  /// provider and its copies keep one position per endpoint (method, URL and query).
  public static func sequence(_ first: SampleResponse, _ more: SampleResponse...) -> SampleResponse
  {
    SampleResponse(answers: more.reduce(first.answers) { $0 + $1.answers })
  }

  func answer(toAttempt index: Int) -> Answer {
    index < answers.count ? answers[index] : answers[answers.count - 1]
  }
}

/// Determines whether a call uses the network or the target's ``TargetType/sampleResponse``.
public enum StubBehavior: Sendable, Hashable {
  /// Uses the network.
  case never
  /// Returns the sample immediately.
  case immediate
  /// Returns the sample after a delay on the provider's clock.
  case delayed(Duration)
}
