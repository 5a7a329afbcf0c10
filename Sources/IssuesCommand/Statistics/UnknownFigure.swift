internal import IssueMirror

/// A value that is unknown because the mirror lacks the data.
struct UnknownFigure: Encodable, Sendable {
  /// The name for programs.
  let figure: String
  /// The command that mirrors the data.
  let command: String
  /// The name for people.
  private let words: String

  private enum CodingKeys: CodingKey {
    case figure, command
  }

  /// The unknown values. If two commands could mirror the data, the one with fewer requests is suggested.
  static func all(in statistics: RepositoryStatistics) -> [UnknownFigure] {
    let repository = statistics.repository
    var figures: [UnknownFigure] = []
    if statistics.answers == nil {
      figures.append(
        UnknownFigure(
          figure: "first_answers", command: "\(repository.syncCommand) --comments",
          words: "First answers aren't known without comments"))
    }
    if repository.timelinesCheckedAt == nil, repository.lacksTimelinesSince == nil {
      figures.append(
        UnknownFigure(
          figure: "reopened", command: "\(repository.syncCommand) --timeline",
          words: "Closing and reopening aren't known without timelines"))
    }
    return figures
  }

  var sentence: String { "\(words): '\(command)' mirrors them." }
}
