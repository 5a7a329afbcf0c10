/// When each watched repository is synced again.
///
/// Times are durations since a common beginning.
struct SyncSchedule: Sendable {
  /// The longest pause, unless the shortest is longer.
  static let longest = Duration.seconds(30 * 60)
  /// The growth of the pause with each sync that finds nothing.
  static let growth = 1.5

  private struct Entry: Sendable {
    let place: Place
    var pause: Duration
    var due: Duration
  }

  private let shortest: Duration
  private let longest: Duration
  private var entries: [Entry] = []

  init(shortest: Duration) {
    self.shortest = shortest
    longest = max(shortest, Self.longest)
  }

  var count: Int { entries.count }

  /// When the next repository is due; nil if there is none.
  var next: Duration? { entries.map(\.due).min() }

  /// Adds the places that are new, which are due at once, and drops those that are gone.
  mutating func replace(with places: [Place], at now: Duration) {
    entries.removeAll { entry in !places.contains(entry.place) }
    for place in places where !entries.contains(where: { $0.place == place }) {
      entries.append(Entry(place: place, pause: shortest, due: now))
    }
  }

  /// Those that have waited longest first.
  func due(at now: Duration) -> [Place] {
    entries.filter { $0.due <= now }.sorted { $0.due < $1.due }.map(\.place)
  }

  /// Notes a sync that has ended.
  mutating func note(_ place: Place, foundNews: Bool, at now: Duration) {
    guard let index = entries.firstIndex(where: { $0.place == place }) else { return }
    let pause = foundNews ? shortest : min(entries[index].pause * Self.growth, longest)
    entries[index].pause = pause
    entries[index].due = now + pause
  }
}
