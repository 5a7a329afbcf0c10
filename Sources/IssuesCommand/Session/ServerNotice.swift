internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules

/// What a server's answers say to somebody who asks again and again.
final class ServerNotice: Sendable {
  private struct State: Sendable {
    var beginning: Date?
    var pause: Duration?
  }

  private let state = Locked(State())

  /// Notes what answers say.
  var plugin: Plugin {
    Plugin(didReceive: { [state] result, _ in
      guard let response = try? result.get() else { return }
      let pause = HTTPField.Name("x-poll-interval")
        .flatMap { response.headers[$0] }.flatMap { Int($0) }
      state.withLock { state in
        state.beginning = state.beginning ?? response.serverDate
        // A day is the longest interval that can be asked for.
        if let pause, pause > 0 { state.pause = .seconds(min(pause, 86_400)) }
      }
    })
  }

  /// When the first answer was made, by the server's clock.
  var beginning: Date? { state.withLock { $0.beginning } }

  /// The shortest pause that the server asks for (`X-Poll-Interval`,
  /// <https://docs.github.com/en/rest/activity/notifications>).
  var pause: Duration? { state.withLock { $0.pause } }
}
