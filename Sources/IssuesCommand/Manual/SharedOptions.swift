internal import ArgumentParser

/// The options that most commands share. A command's help names them in a line, and one page explains them.
enum SharedOptions {
  /// The last word of that page's name.
  static let name = "options"

  /// The words of that page's name.
  static var words: [String] { [IssuesCommand._commandName, name] }

  /// The titles of the groups of shared options.
  static let titles = ["Output", "Connection", "Mirror"]

  /// The headings of these groups in a page.
  static let headings = titles.map { $0.uppercased() }

  /// The options that a command's help names.
  private static let named = ["--json", "--jq", "--max-age", "--database", "--wait"]

  private static let summary = "The options that most commands share."

  private static let description = [
    """
    A command accepts only the options that make sense for it. Its own page lists them by name: see the end \
    of its OPTIONS.
    """,
    """
    Options may come before or after the arguments. A value follows its option as the next word or after '=': \
    --limit 5, --limit=5, -L 5 and -L5 are the same.
    """,
  ]

  private static let explanations = [
    "OUTPUT": """
    By default, a terminal gets a table or formatted text, and a pipe or a file gets tab-separated values without \
    a header, colors or truncation. --json and --jsonl write JSON to either. 'issues help environment' lists \
    the variables for colors, tables and the pager.
    """,
    "CONNECTION": """
    The server that a command contacts, and how long it waits. The access token comes from the environment or \
    from gh: see 'issues auth status'. These options don't affect output from the mirror.
    """,
    "MIRROR": """
    The mirror is the copy of issues that 'issues sync' keeps on this machine, or that a team keeps in a \
    PostgreSQL database.
    """,
  ]

  /// Whether an option is shared. This includes `--color` unless it is in a group.
  static func include(_ argument: CommandArgument) -> Bool {
    titles.contains(argument.sectionTitle ?? "")
      || argument.typedNames == ["--color"] && argument.allValues != nil
  }

  /// The line in the short help of a command that shares these options; empty if it doesn't share any.
  static func line(naming arguments: [CommandArgument]) -> [String] {
    let names = arguments.filter(include).flatMap(\.typedNames)
    guard !names.isEmpty else { return [] }
    let known = named.filter(names.contains)
    let shown = known.isEmpty ? Array(names.prefix(1)) : known
    let others = names.count > shown.count ? ", …" : ""
    return ["  Shared: \(shown.joined(separator: ", "))\(others) (issues help \(name))"]
  }

  /// The section that replaces the shared options on a command's page.
  static func reference(to entries: [ManualEntry]) -> ManualSection {
    let names = entries.compactMap { $0.term.firstMatch(of: /--[a-z-]+/)?.output }
    let page = ManualPage.name(of: words)
    return ManualSection(
      title: "SHARED OPTIONS",
      blocks: [
        .paragraph("\(names.joined(separator: ", ")): see \(page)(1) or 'issues help \(name)'.")
      ])
  }

  /// Removes the shared options from the pages. The pages then refer to the returned page.
  static func page(takenFrom pages: inout [ManualPage]) -> ManualPage {
    var parts = headings.map { title in
      ManualSection(
        title: title,
        blocks: [explanations[title].map(ManualBlock.paragraph), .entries([])].compactMap(\.self))
    }
    for index in pages.indices {
      for taken in pages[index].takeSharedOptions() {
        guard let part = parts.firstIndex(where: { $0.title == taken.title }) else { continue }
        for entry in taken.entries
        where !parts[part].entries.contains(where: { $0.term == entry.term }) {
          parts[part].append(entry)
        }
      }
    }
    return ManualPage(
      words: words, summary: summary, synopsis: ["issues <subcommand> [<options>]"],
      sections: [
        ManualSection(title: "DESCRIPTION", blocks: description.map(ManualBlock.paragraph)),
        ManualSection(title: "OPTIONS", parts: parts),
      ],
      related: [[IssuesCommand._commandName]])
  }
}
