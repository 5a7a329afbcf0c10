public import Foundation
public import HTTPTargets
public import Reactive

/// What a request came to. Failures are values, so that no failure ends a sequence.
public enum Reply<Value: Sendable>: Sendable {
  /// The answer.
  case value(Value)
  /// The reason why there is none.
  case problem(Problem)
}

extension Reply: Equatable where Value: Equatable {}

/// The reason why a request has no answer.
public enum Problem: Error, Hashable, CustomStringConvertible {
  /// The server's limit is reached, until a time that the server may have told.
  case limited(until: Date?)
  /// The server can't be reached. The request is repeated when it is back.
  case offline
  /// Anything else, in words.
  case failed(String)

  /// Creates the reason for an error.
  public init(_ error: NetworkError) {
    self =
      if error.code == .rateLimited {
        .limited(until: error.retryDate)
      } else if error.isNetworkAway || error.transportFailure?.reason == .interrupted {
        .offline
      } else {
        .failed(error.problem)
      }
  }

  /// The reason in words.
  public var description: String {
    switch self {
    case .limited(let until?): "the limit is reached until \(until.formatted(.iso8601))"
    case .limited(nil): "the limit is reached"
    case .offline: "offline"
    case .failed(let reason): harmless(reason)
    }
  }
}

extension Reachability {
  /// Asks, and reports the answer or the problem. While the server can't be reached it waits, and asks once more when
  /// the server is back.
  ///
  /// - Parameters:
  ///   - ask: Sends the request.
  ///   - report: Receives each reply; the last one isn't ``Problem/offline``.
  public func persist<Value>(
    _ ask: () async throws(NetworkError) -> Value, report: (Reply<Value>) async -> Void
  ) async {
    while !Task.isCancelled {
      let problem: Problem
      do throws(NetworkError) {
        return await report(.value(try await ask()))
      } catch {
        problem = Problem(error)
      }
      if Task.isCancelled { return }
      guard problem == .offline else { return await report(.problem(problem)) }
      reportFailure()
      await report(.problem(problem))
      await waitUntilReachable()
    }
  }
}

/// Removes what a terminal would obey, and what would reorder the text around it: anybody can write a title.
public func harmless(_ text: String) -> String {
  let unseen: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator,
  ]
  let scalars = text.unicodeScalars.filter { !unseen.contains($0.properties.generalCategory) }
  return String(String.UnicodeScalarView(scalars))
}
