internal import ArgumentParser
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `issues label list`, which is also `issues label` alone.
struct LabelListCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the labels of a repository.",
    usage: "issues label list [<options>] [OWNER/REPO]",
    discussion: """
      On a terminal the list is a table. In a pipe it has a line for each label: name, description and colour, \
      separated by tabs.

      EXAMPLES:
        issues label list
        issues label list apple/swift --search crash
        issues label list --all --sort name --json name,color
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; by default that of the clone in the current directory.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repository: String?

  @OptionGroup var option: RepositoryOptions

  @Option(
    name: [.customShort("S", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Only labels with this text in their name or description.", valueName: "text"))
  var search: String?

  @Option(help: "What to sort by. (default: created)")
  var sort: LabelOrder?

  @Option(help: "Which way to sort. (default: asc)")
  var order: ListDirection?

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the list in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  static var jsonFields: JSONFields.Known { .sent(Label.fieldNames) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard repository == nil, word.contains("/") else { return false }
    repository = word
    return true
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let place = try await session.place(
      of: RepositoryChoice(parsing: repository, option: option.repo),
      apiURL: connection.request.apiURL)
    if web {
      let page = "\(place.server.webURL(of: place.name))/labels"
      return try await session.openPage(page, of: place.server)
    }
    let list = PropertyList<Label>(
      place: place, connection: try await connection.connection(to: place.server, session),
      session: session, noun: "label", limit: limit.maximum, fields: fields)
    try await list.show(
      .labels(repositoryFullName: "\(place.name)", pageSize: 100), where: isWanted,
      isAscending: order != .descending
    ) { first, second in
      switch sort ?? .created {
      case .created: (first.id ?? 0) < (second.id ?? 0)
      case .name: first.name.lowercased() < second.name.lowercased()
      }
    } as: {
      LabelRow(sent: $0)
    }
  }

  private func isWanted(_ label: Label) -> Bool {
    guard let text = search?.lowercased(), !text.isEmpty else { return true }
    return label.name.lowercased().contains(text)
      || label.description?.lowercased().contains(text) == true
  }
}

/// What labels are sorted by.
enum LabelOrder: String, NamedChoice, Sendable {
  case created
  case name
}

/// Which way a list is sorted.
enum ListDirection: String, NamedChoice, Sendable {
  case ascending = "asc"
  case descending = "desc"
}

/// A label in a list.
struct LabelRow: ListItem {
  let sent: Sent<Label>

  private var label: Label { sent.entity }

  static var columns: [Column] {
    [
      Column(title: "NAME", sizing: .limited(percent: 45)),
      Column(title: "DESCRIPTION", sizing: .flexible(minimum: 16)),
      Column(title: "COLOR", dropOrder: 0),
    ]
  }

  func tableCells(now: Date) -> [StyledLine] {
    let color = label.color ?? ""
    return [
      StyledLine(label.name, style: .label(color)), StyledLine(label.description ?? ""),
      StyledLine(color.isEmpty ? "" : "#\(color)", style: .faint),
    ]
  }

  func plainCells() -> [StyledLine] {
    [
      StyledLine(label.name, style: .heading), StyledLine(label.description ?? ""),
      StyledLine(label.color.map { "#\($0)" } ?? "", style: .faint),
    ]
  }

  func object() -> JSONObject { JSONObject(sent.json) }
}
