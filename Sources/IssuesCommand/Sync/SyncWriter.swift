internal import IssueMirror
internal import PlatformModules
internal import StyledText

/// Writes reports as sentences for people, as lines of cells, or as a JSON array that only ``finish()`` closes.
struct SyncWriter {
  private let output: Output
  private let errors: ErrorOutput
  private var form: ReportForm

  init(_ session: CommandSession, fields: JSONFields?) throws(CommandFailure) {
    output = session.output
    errors = session.errors
    form = try ReportForm(session, fields)
  }

  mutating func write(_ report: SyncReport) async throws {
    try await writeCounts(of: report)
    if report.lacksTimelines {
      errors.write("The server of \(report.repository.typedName) doesn't provide timelines.")
    }
    if report.lacksComments {
      errors.write(
        "The server of \(report.repository.typedName) has no list of its comments: they weren't synced."
      )
    }
    if let first = report.setAside.first {
      let others = report.setAside.count - 1
      errors.write(
        "\(report.repository.typedName) lacks \(first.name), which can't be read: \(first.reason)"
          + (others > 0 ? "\nIt lacks \(others) more: 'issues mirror' lists them." : ""))
    }
  }

  private mutating func writeCounts(of report: SyncReport) async throws {
    switch form {
    case .sentence(let color):
      let line = StyledLine(runs: [
        .init(report.repository.typedName, style: .heading), .init(": \(Self.sentence(report))"),
      ])
      try await output.write(line.rendered(in: color) + "\n")
    case .plain(let tsv):
      let counts = Self.counts(report).map { StyledLine("\($0.number) \($0.name)") }
      try await output.write(
        tsv.line([StyledLine(report.repository.typedName, style: .heading)] + counts))
    case .json(var sink):
      try await sink.write(list: [Self.object(report)])
      form = .json(sink)
    }
  }

  func finish() async throws {
    guard case .json(var sink) = form else { return }
    try await sink.finishList()
  }

  private static func counts(_ report: SyncReport) -> [(number: Int, name: String)] {
    [
      (report.inserted, "new"), (report.updated, "updated"), (report.removed, "removed"),
      (report.comments.inserted, "new comments"), (report.comments.updated, "updated comments"),
      (report.comments.removed, "removed comments"),
      (report.timelines, "timelines"), (report.requests, requestsName),
    ]
  }

  private static let requestsName = "requests"

  private static func sentence(_ report: SyncReport) -> String {
    let requests = report.requests == 1 ? "1 request" : "\(report.requests) requests"
    // Zeros are shown only for the first two.
    let counts = counts(report).filter { $0.name != requestsName }.enumerated().filter {
      $0.offset < 2 || $0.element.number > 0
    }
    var notes = ""
    if report.isIndexRebuilt { notes += " The search index was damaged and has been rebuilt." }
    if report.hasUncomparedChanges {
      notes += " Changes of the last minute weren't compared: verify again after it."
    }
    if report.hasUnexplainedNumbers {
      notes +=
        " Some numbers that no list shows are still unchecked: the next sync continues."
    }
    if report.hasUnreadTimelines {
      notes += " The server failed to send some timelines: the next sync asks again."
    }
    guard counts.contains(where: { $0.element.number > 0 }) else {
      return "nothing has changed (\(requests)).\(notes)"
    }
    let parts = counts.map { (_, count) in
      let isOne = count.number == 1 && count.name.hasSuffix("s")
      return "\(count.number) \(isOne ? String(count.name.dropLast()) : count.name)"
    }
    return "\(parts.joined(separator: ", ")) (\(requests)).\(notes)"
  }

  private static func object(_ report: SyncReport) throws -> JSONObject {
    try JSONObject(
      encoding: EncodedObject(Field.self) { field in
        switch field {
        case .fullName: report.repository.fullName
        case .host: report.repository.host
        case .new: report.inserted
        case .updated: report.updated
        case .removed: report.removed
        case .newComments: report.comments.inserted
        case .updatedComments: report.comments.updated
        case .removedComments: report.comments.removed
        case .timelines: report.timelines
        case .requests: report.requests
        case .syncedTo: report.repository.syncedTo.map(Timestamp.string(from:))
        }
      })
  }

  enum Field: String, CaseIterable {
    case fullName = "full_name"
    case host, new, updated, removed
    case newComments = "new_comments"
    case updatedComments = "updated_comments"
    case removedComments = "removed_comments"
    case timelines, requests
    case syncedTo = "synced_to"
  }
}
