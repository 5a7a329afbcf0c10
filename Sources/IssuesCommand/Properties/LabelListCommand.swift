internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct LabelListCommand: PropertyListCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the labels of a repository.",
    usage: "issues label list [<options>] [OWNER/REPO]",
    discussion: """
      On a terminal, the list is a table. In a pipe, each label is a line of tab-separated values: name, \
      description and color.

      EXAMPLES:
        issues label list
        issues label list apple/swift --search crash
        issues label list --all --sort name --json name,color
      """)

  @OptionGroup var target: PropertyListTarget

  @Option(
    name: [.customShort("S", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Filter by text in the name or the description.", valueName: "text"),
    transform: ValueReader.text(of: "--search"))
  var search: String?

  @Option(help: "Sort by. (default: created)")
  var sort: LabelOrder?

  @OptionGroup var list: PropertyListOptions

  static var jsonFields: JSONFields.Known { .sent(GitHub.Label.fieldNames) }

  static let noun = "label"

  static func firstPage(_ repository: RepositoryName) -> GitHub {
    .labels(repositoryFullName: "\(repository)", pageSize: 100)
  }

  static func row(_ sent: Sent<GitHub.Label>) -> LabelRow { LabelRow(sent: sent) }

  func precedes(_ first: GitHub.Label, _ second: GitHub.Label) -> Bool {
    switch sort ?? .created {
    case .created: (first.serverID ?? 0) < (second.serverID ?? 0)
    case .name: first.name.lowercased() < second.name.lowercased()
    }
  }

  func isWanted(_ label: GitHub.Label) -> Bool {
    guard let text = search?.lowercased(), !text.isEmpty else { return true }
    return label.name.lowercased().contains(text)
      || label.description?.lowercased().contains(text) == true
  }
}

enum LabelOrder: String, NamedChoice, Sendable {
  case created
  case name
}

struct LabelRow: ListItem {
  let sent: Sent<GitHub.Label>

  private var label: GitHub.Label { sent.entity }

  static let columns: [ItemColumn<LabelRow>] = [
    .init("NAME", .limited(percent: 45)) { row, now in
      StyledLine(row.label.name, style: now == nil ? .heading : .label(row.label.color ?? ""))
    },
    .init("DESCRIPTION", .flexible(minimum: 16)) { row, _ in
      StyledLine(row.label.description ?? "")
    },
    .init("COLOR", dropOrder: 0) { row, _ in
      StyledLine(row.label.color.map { $0.isEmpty ? "" : "#\($0)" } ?? "", style: .faint)
    },
  ]

  func object() -> JSONObject { JSONObject(sent.json) }
}
