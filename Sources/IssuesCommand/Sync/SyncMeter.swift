internal import IssueMirror
internal import StyledText

/// The status line of a sync: `Syncing apple/swift [###-------] 31%, 31200 items, 950/s, 1:12 left`.
///
/// Rate and remaining time are averages of the whole run, because pages arrive in bursts, between waits for limits.
struct SyncMeter: Sendable {
  /// The minimum interval between two lines. A user can't follow faster updates, and writing takes time.
  static let interval = Duration.milliseconds(100)
  /// The time to measure before the remaining time is estimated.
  static let patience = Duration.seconds(3)
  private static let barWidth = 10

  private let name: String
  private var phase: SyncProgress.Phase?
  /// The start of the phase. A resumed sync begins with a part that took no time.
  private var beginning: (fraction: Double, stored: Int, at: Duration) = (0, 0, .zero)
  private var saidAt: Duration?
  /// The new items in words, such as `300 new issues and pull requests, 2 new comments and 7 timelines`; nil if there
  /// are none.
  private(set) var news: String?

  init(name: String) {
    self.name = name
  }

  /// The new line; nil if it doesn't change.
  mutating func text(of progress: SyncProgress, at elapsed: Duration) -> String? {
    news = Self.news(progress)
    if phase != progress.phase {
      phase = progress.phase
      beginning = (progress.fraction ?? 0, progress.stored, elapsed)
    } else if let saidAt, elapsed - saidAt < Self.interval {
      return nil
    }
    saidAt = elapsed
    return switch progress.phase {
    case .lookingUp: "Looking up \(name)…"
    case .items: measured("Syncing \(name)", progress, at: elapsed)
    case .comments: measured("Syncing the comments of \(name)", progress, at: elapsed)
    case .timelines: measured("Syncing the timelines of \(name)", progress, at: elapsed)
    case .verifying: measured("Looking for issues removed from \(name)", progress, at: elapsed)
    case .checking(let number): "Looking up \(name)#\(number)…"
    }
  }

  private static func news(_ progress: SyncProgress) -> String? {
    let (items, comments, timelines) = (
      progress.newItems, progress.newComments, progress.newTimelines
    )
    let parts = [
      (items, items == 1 ? "new issue or pull request" : "new issues and pull requests"),
      (comments, comments == 1 ? "new comment" : "new comments"),
      (timelines, timelines == 1 ? "timeline" : "timelines"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    guard let last = words.last, words.count > 1 else { return words.first }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }

  private func measured(
    _ title: String, _ progress: SyncProgress, at elapsed: Duration
  ) -> String {
    var text = title
    if let fraction = progress.fraction {
      let filled = Int(fraction * Double(Self.barWidth))
      let bar =
        String(repeating: "#", count: filled)
        + String(repeating: "-", count: Self.barWidth - filled)
      text += " [\(bar)] \(Int(fraction * 100))%,"
    } else {
      text += ":"
    }
    text += " \(progress.stored) \(progress.stored == 1 ? "item" : "items")"
    let time = (elapsed - beginning.at) / .seconds(1)
    guard elapsed - beginning.at >= Self.patience else { return text }
    let rate = Double(progress.stored - beginning.stored) / time
    text += ", \(Int(rate.rounded()))/s"
    guard let fraction = progress.fraction, fraction > beginning.fraction, fraction < 1 else {
      return text
    }
    let left = time / (fraction - beginning.fraction) * (1 - fraction)
    // For more than a day, an estimate isn't useful.
    return left < 86_400 ? "\(text), \(LocalTime.countdown(.seconds(left))) left" : text
  }
}
