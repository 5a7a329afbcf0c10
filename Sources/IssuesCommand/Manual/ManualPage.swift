internal import ArgumentParser

/// A page of the manual: of the command, or of one of its subcommands.
struct ManualPage: Hashable, Sendable {
  /// What is typed: `["issues", "outbox", "resolve"]`.
  let words: [String]

  /// A sentence.
  let summary: String

  let synopsis: [String]

  /// Description, options, examples and what else is the page's own.
  var sections: [ManualSection]

  /// What all pages share: the sections of the command's own page.
  var sharedSections: [ManualSection] = []

  /// The words of other pages.
  var related: [[String]]

  private static let shared = ["ENVIRONMENT", "FILES", "EXIT STATUS"]

  /// `issues-outbox-resolve`.
  var name: String { Self.name(of: words) }

  static func name(of words: [String]) -> String { words.joined(separator: "-") }

  /// As behind the dash of `NAME`.
  var briefly: String {
    var brief = summary.prefix(1).lowercased() + summary.dropFirst()
    if brief.hasSuffix(".") { brief.removeLast() }
    return brief
  }

  /// Reads what the subcommand's `--help` says, unwrapped.
  init(words: [String], text: String) {
    let help = HelpText(text)
    self.words = words
    summary = help.summary
    synopsis = help.usage
    var lists = help.lists
    func take(_ title: String) -> [ManualSection] {
      guard let index = lists.firstIndex(where: { $0.title == title }) else { return [] }
      return [lists.remove(at: index)]
    }
    let subcommands = take("SUBCOMMANDS")
    let arguments = take("ARGUMENTS")
    var options = take("OPTIONS").first ?? ManualSection(title: "OPTIONS")
    options.parts = lists
    let own = help.sections.filter { $0.title != "EXAMPLES" && !Self.shared.contains($0.title) }
    // A group has no text of its own, as its subcommands say all.
    let description =
      help.description.isEmpty ? [ManualBlock.paragraph(summary)] : help.description
    sections =
      [ManualSection(title: "DESCRIPTION", blocks: description)] + own + subcommands + arguments
      + [options] + [help.section("EXAMPLES")].compactMap(\.self)
    sharedSections = Self.shared.compactMap(help.section)
    related = []
  }

  /// All pages, each after that of the command that it belongs to.
  static let all: [ManualPage] = {
    var pages: [ManualPage] = []
    var texts: [String] = []
    func add(_ command: any ParsableCommand.Type, _ words: [String]) {
      let text = IssuesCommand.helpMessage(for: command, columns: HelpText.columns)
      texts.append(text)
      pages.append(ManualPage(words: words, text: text))
      for next in command.configuration.subcommands where next.configuration.shouldDisplay {
        add(next, words + [next._commandName])
      }
    }
    add(IssuesCommand.self, [IssuesCommand._commandName])
    let names = Set(pages.map(\.words))
    for index in pages.indices {
      pages[index].related = related(
        to: pages[index].words, mentionedIn: index == 0 ? "" : texts[index], names: names)
      pages[index].sharedSections = pages[0].sharedSections
    }
    return pages
  }()

  /// The commands above and below, and those that the text names: `'issues outbox send'`.
  private static func related(
    to words: [String], mentionedIn text: String, names: Set<[String]>
  ) -> [[String]] {
    var related = names.filter { $0.count == words.count + 1 && $0.starts(with: words) }
    for length in 1..<max(words.count, 1) { related.insert(Array(words.prefix(length))) }
    for mention in text.matches(of: /'issues ([a-z-]+)(?: ([a-z-]+))?/) {
      let found = ["issues", String(mention.output.1)]
      let longer = found + [mention.output.2.map(String.init)].compactMap(\.self)
      if let page = [longer, found].first(where: names.contains) { related.insert(page) }
    }
    related.remove(words)
    return related.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
