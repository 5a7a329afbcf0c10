internal import IssueMirror

/// A number for which the mirror lacks the data.
struct UnknownFigure: Encodable, Sendable {
  /// For programs.
  let figure: String
  /// The command that mirrors the data.
  let command: String
  /// For people.
  private let words: String

  private enum CodingKeys: CodingKey {
    case figure, command
  }

  /// Of two commands, the one with fewer requests.
  static func all(in statistics: RepositoryStatistics) -> [UnknownFigure] {
    let repository = statistics.repository
    var figures: [UnknownFigure] = []
    if statistics.answers == nil {
      figures.append(
        UnknownFigure(
          figure: "first_answers", command: "\(repository.syncCommand) --comments",
          words: "Who answered first, and how soon, isn't known without comments"))
    }
    if repository.timelinesCheckedAt == nil, repository.lacksTimelinesSince == nil {
      figures.append(
        UnknownFigure(
          figure: "reopened", command: "\(repository.syncCommand) --timeline",
          words: "What was closed and reopened isn't known without timelines"))
    }
    return figures
  }

  var sentence: String { "\(words): '\(command)' mirrors them." }
}
