/// Schedules repeated requests for several subjects: more often for subjects that change, less often for others.
///
/// Times are durations since a common start.
struct AskingSchedule<Subject: Equatable & Sendable>: Sendable {
  private struct Entry: Sendable {
    let subject: Subject
    var pause: Duration
    var due: Duration
  }

  private let shortest: Duration
  private let longest: Duration
  private var entries: [Entry] = []

  /// Creates a schedule. `longest` is the maximum pause, unless the minimum is longer.
  init(shortest: Duration, longest: Duration = .seconds(30 * 60)) {
    self.shortest = shortest
    self.longest = max(shortest, longest)
  }

  /// The factor by which the pause grows with each response without news.
  private static var growth: Double { 1.5 }

  var count: Int { entries.count }

  /// The time at which the next subject is due; nil if there are no subjects.
  var next: Duration? { entries.map(\.due).min() }

  /// Adds new subjects, which are due at once, and drops missing ones.
  mutating func replace(with subjects: [Subject], at now: Duration) {
    entries.removeAll { entry in !subjects.contains(entry.subject) }
    for subject in subjects where !entries.contains(where: { $0.subject == subject }) {
      entries.append(Entry(subject: subject, pause: shortest, due: now))
    }
  }

  mutating func remove(_ subject: Subject) {
    entries.removeAll { $0.subject == subject }
  }

  /// The due subjects, those that have waited longest first.
  func due(at now: Duration) -> [Subject] {
    entries.filter { $0.due <= now }.sorted { $0.due < $1.due }.map(\.subject)
  }

  /// Records a response. `least` is a pause that the server requires; it takes precedence over the maximum.
  mutating func note(
    _ subject: Subject, foundNews: Bool, at now: Duration, least: Duration = .zero
  ) {
    guard let index = entries.firstIndex(where: { $0.subject == subject }) else { return }
    let pause = foundNews ? shortest : min(entries[index].pause * Self.growth, longest)
    entries[index].pause = pause
    entries[index].due = now + max(pause, least)
  }
}
