internal import IssueMirror
internal import IssueMirrorPostgres
internal import PlatformModules
internal import StyledText

/// An event of a worker, with its time.
struct WorkerEventRow: Sendable {
  enum Field: String, CaseIterable, Sendable {
    case time
    case event
    case repository
    case new
    case updated
    case removed
    case requests
    /// The seconds until the repository is due again, or until the worker continues.
    case dueIn = "due_in"
    /// The reason that the repository is in the queue, that its sync failed, or that the worker pauses.
    case reason
    /// Whether a worker that died had claimed the repository.
    case wasAbandoned = "was_abandoned"
  }

  let event: MirrorWorker.Event
  let time: Date

  init(_ event: MirrorWorker.Event, at time: Date = Date()) {
    self.event = event
    self.time = time
  }

  var name: String {
    switch event {
    case .claimed: "claimed"
    case .finished: "finished"
    case .failed: "failed"
    case .gaveBack: "gave_back"
    case .lostLease: "lost_lease"
    case .paused: "paused"
    }
  }

  var repository: String? {
    switch event {
    case .claimed(let name, _, _), .finished(let name, _, _), .failed(let name, _, _),
      .gaveBack(let name), .lostLease(let name):
      name
    case .paused: nil
    }
  }

  var report: SyncReport? {
    if case .finished(_, let report, _) = event { report } else { nil }
  }

  var dueIn: Duration? {
    switch event {
    case .finished(_, _, let time), .failed(_, _, let time), .paused(_, let time): time
    case .claimed, .gaveBack, .lostLease: nil
    }
  }

  var reason: String? {
    switch event {
    case .claimed(_, let reason, _), .failed(_, let reason, _), .paused(let reason, _): reason
    case .finished, .gaveBack, .lostLease: nil
    }
  }

  /// The numbers of items and comments.
  var counts: [Int]? {
    report.map {
      [
        $0.inserted + $0.comments.inserted, $0.updated + $0.comments.updated,
        $0.removed + $0.comments.removed,
      ]
    }
  }

  func object() throws -> JSONObject {
    try JSONObject(
      encoding: EncodedObject(Field.self) { field in
        switch field {
        case .time: Timestamp.string(from: time)
        case .event: name
        case .repository: repository
        case .new: counts?[0]
        case .updated: counts?[1]
        case .removed: counts?[2]
        case .requests: report?.requests
        case .dueIn: dueIn?.components.seconds
        case .reason: reason
        case .wasAbandoned: if case .claimed(_, _, let was) = event { was } else { nil }
        }
      })
  }
}

/// Writes events as sentences for people, as lines of cells, or as JSON.
struct WorkerWriter {
  private let output: Output
  private var form: ReportForm

  init(_ session: CommandSession, fields: JSONFields?) throws(CommandFailure) {
    output = session.output
    form = try ReportForm(session, fields)
  }

  mutating func write(_ row: WorkerEventRow) async throws {
    switch form {
    case .sentence(let color):
      guard let sentence = Self.sentence(row) else { return }
      let subject = row.repository ?? "Worker"
      let line = StyledLine(runs: [
        .init(subject, style: .heading), .init(": \(TerminalText(sentence))"),
      ])
      try await output.write(line.rendered(in: color) + "\n")
    case .plain(let tsv):
      let numbers = (row.counts ?? []) + (row.report.map { [$0.requests] } ?? [])
      let cells =
        [Timestamp.string(from: row.time), row.name, row.repository ?? ""]
        + (0..<4).map { $0 < numbers.count ? "\(numbers[$0])" : "" }
        + [row.dueIn.map { "\($0.components.seconds)" } ?? "", row.reason ?? ""]
      try await output.write(tsv.line(cells.map { StyledLine($0) }))
    case .json(var sink):
      try await sink.write(list: [row.object()])
      form = .json(sink)
    }
  }

  func finish() async throws {
    guard case .json(var sink) = form else { return }
    try await sink.finishList()
  }

  /// The sentence; nil for an event that is reported when it ends.
  private static func sentence(_ row: WorkerEventRow) -> String? {
    let time = row.dueIn.map(WorkerTime.text) ?? ""
    switch row.event {
    case .claimed(_, _, wasAbandoned: false): return nil
    case .claimed: return "continues where a worker that died stopped."
    case .finished(_, let report, _):
      let names = ["new", "updated", "removed"]
      let counts = zip(row.counts ?? [], names).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      let news = counts.isEmpty ? "nothing has changed" : counts.joined(separator: ", ")
      let requests = report.requests == 1 ? "1 request" : "\(report.requests) requests"
      return "\(news) (\(requests)); due again in \(time)."
    case .failed(_, let reason, _):
      return "failed, and is tried again in \(time): \(reason)"
    case .gaveBack: return "given back, unfinished."
    case .lostLease: return "the lease has ended, another worker may have it."
    case .paused(let reason, _): return "pauses for \(time): \(reason)"
    }
  }
}

enum WorkerTime {
  /// The time in one unit: `30s`, `2m`, `3h`, `4d`.
  static func text(_ time: Duration) -> String {
    let seconds = max(Int(time.components.seconds), 0)
    return switch seconds {
    case ..<120: "\(seconds)s"
    case ..<7_200: "\(seconds / 60)m"
    case ..<172_800: "\(seconds / 3_600)h"
    default: "\(seconds / 86_400)d"
    }
  }
}
