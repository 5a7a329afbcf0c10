public import HTTPTypes
public import PlatformModules

/// The response of a stub: a response, a failure, or a sequence of them.
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

  /// Creates a failure of the network. Set its ``NetworkError/bytesSent`` to 0 if no server saw the request: otherwise
  /// that is unknown, and ``RetryInterceptor`` doesn't repeat a `POST`.
  public static func failure(_ error: NetworkError) -> SampleResponse {
    SampleResponse(answers: [.failure(error)])
  }

  /// Gives each attempt, redirect and call the next response; the last one repeats. A provider and its copies
  /// count them for each endpoint (method, URL and query).
  public static func sequence(_ first: SampleResponse, _ more: SampleResponse...) -> SampleResponse
  {
    SampleResponse(answers: more.reduce(first.answers) { $0 + $1.answers })
  }

  func answer(toAttempt index: Int) -> Answer {
    index < answers.count ? answers[index] : answers[answers.count - 1]
  }
}

/// Whether a call goes to the network or gets the target's ``TargetType/sampleResponse``.
public enum StubBehavior: Sendable, Hashable {
  /// To the network.
  case never
  /// From the sample, at once.
  case immediate
  /// From the sample, after a time on the provider's clock.
  case delayed(Duration)
}
