extension RateLimitStateMachine {
  /// What is told of a pause, to those who show it.
  struct Announcement: Sendable, Hashable {
    var phase: RateLimitPause.Phase
    var reason: RateLimitPause.Reason
    var resource: String?
    /// How long from now on.
    var duration: Duration
  }

  /// Why a request is not sent, and for how long that would be so.
  struct Refusal: Sendable, Hashable {
    var kind: RateLimit.Kind
    var duration: Duration
  }

  /// What the driver has to do.
  struct Actions: Sendable, Hashable {
    /// These may be sent now.
    var admitted: [ID] = []
    /// These may not, and would wait for longer than they are allowed to.
    var refused: [ID: Refusal] = [:]
    /// What is to be told, in this order.
    var announcements: [Announcement] = []
  }

  /// What becomes of an answered request.
  enum Verdict: Sendable, Hashable {
    /// Its answer is the answer.
    case done
    /// It may wait and be sent again, described like this.
    case again(RateLimitedRequest)
  }

  /// What a pause stops.
  enum Scope: Sendable, Hashable {
    /// Every request.
    case everything
    /// Those that count against one quota.
    case resource(String)
  }
}
