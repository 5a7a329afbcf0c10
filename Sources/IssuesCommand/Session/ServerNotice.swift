internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules

/// The notices in a server's responses to a client that polls it.
final class ServerNotice: Sendable {
  private struct State: Sendable {
    var beginning: Date?
    var pause: Duration?
  }

  private let state = Locked(State())

  /// Records notices from responses.
  var plugin: Plugin {
    Plugin(didReceive: { [state] result, _ in
      guard let response = try? result.get() else { return }
      let pause = HTTPField.Name("x-poll-interval")
        .flatMap { response.headers[$0] }.flatMap { Int($0) }
      state.withLock { state in
        state.beginning = state.beginning ?? response.serverDate
        // The maximum accepted interval is a day.
        if let pause, pause > 0 { state.pause = .seconds(min(pause, 86_400)) }
      }
    })
  }

  /// The time of the first response, by the server's clock.
  var beginning: Date? { state.withLock { $0.beginning } }

  /// The minimum pause that the server requires (`X-Poll-Interval`,
  /// <https://docs.github.com/en/rest/activity/notifications>).
  var pause: Duration? { state.withLock { $0.pause } }
}
