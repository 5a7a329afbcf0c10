internal import IssueMirror
internal import StyledText

/// The status line for a sync of one repository or several.
///
/// A single repository has the line of its ``SyncMeter``. Several share a line: `Syncing 200 repositories [##--------]
/// 57 done, 31200 items, 950/s: swift, swift-nio and 6 more`.
struct SyncBoard: Sendable {
  private static let barWidth = 10
  private static let namesShown = 2

  private let total: Int
  private var done = 0
  private var running: [(name: String, meter: SyncMeter, stored: Int)] = []
  /// The number of items of the finished repositories.
  private var stored = 0
  private var saidAt: Duration?

  init(total: Int) {
    self.total = total
  }

  /// Begins a repository, and returns the line.
  mutating func begin(_ name: String, at elapsed: Duration) -> String {
    running.append((name, SyncMeter(name: name), 0))
    return total == 1 ? "Looking up \(name)…" : line(at: elapsed)
  }

  /// The new line; nil if it doesn't change.
  mutating func text(
    of progress: SyncProgress, in name: String, at elapsed: Duration
  ) -> String? {
    guard let index = running.firstIndex(where: { $0.name == name }) else { return nil }
    let text = running[index].meter.text(of: progress, at: elapsed)
    running[index].stored = progress.stored
    if total == 1 { return text }
    if let saidAt, elapsed - saidAt < SyncMeter.interval { return nil }
    saidAt = elapsed
    return line(at: elapsed)
  }

  /// Ends a repository. Returns its new items (``SyncMeter/news``) and the line; an empty line erases it.
  mutating func end(_ name: String, at elapsed: Duration) -> (news: String?, line: String) {
    done += 1
    guard let index = running.firstIndex(where: { $0.name == name }) else { return (nil, "") }
    let ended = running.remove(at: index)
    stored += ended.stored
    return (ended.meter.news, running.isEmpty ? "" : line(at: elapsed))
  }

  private func line(at elapsed: Duration) -> String {
    let filled = done * Self.barWidth / total
    let bar =
      String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barWidth - filled)
    let items = running.reduce(stored) { $0 + $1.stored }
    var text = "Syncing \(total) repositories [\(bar)] \(done) done"
    text += ", \(items) \(items == 1 ? "item" : "items")"
    if elapsed >= SyncMeter.patience {
      text += ", \(Int((Double(items) / (elapsed / .seconds(1))).rounded()))/s"
    }
    let names = running.prefix(Self.namesShown).map { String($0.name.split(separator: "/")[1]) }
    let others = running.count - names.count
    text += ": \(names.joined(separator: ", "))"
    return others > 0 ? "\(text) and \(others) more" : text
  }
}
