internal import ArgumentParser

/// A page of the manual, either of the command itself or of a subcommand.
struct ManualPage: Hashable, Sendable {
  /// The page's words on the command line: `["issues", "outbox", "resolve"]`.
  let words: [String]

  /// The summary, a sentence.
  let summary: String

  let synopsis: [String]

  /// The description, options, examples and other sections.
  var sections: [ManualSection]

  /// The content shared by all pages: the sections of the command's own page.
  var sharedSections: [ManualSection] = []

  /// The words of related pages.
  var related: [[String]] = []

  private static let shared = ["ENVIRONMENT", "FILES", "EXIT STATUS"]

  /// The name of the page, such as `issues-outbox-resolve`.
  var name: String { Self.name(of: words) }

  static func name(of words: [String]) -> String { words.joined(separator: "-") }

  /// The summary in the form that follows the dash in `NAME`.
  var briefly: String {
    var brief = summary.prefix(1).lowercased() + summary.dropFirst()
    if brief.hasSuffix(".") { brief.removeLast() }
    return brief
  }

  /// Parses the subcommand's unwrapped `--help`.
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
    // A group has no text of its own, because its subcommands cover it.
    let description =
      help.description.isEmpty ? [ManualBlock.paragraph(summary)] : help.description
    sections =
      [ManualSection(title: "DESCRIPTION", blocks: description)] + own + subcommands + arguments
      + [options] + [help.section("EXAMPLES")].compactMap(\.self)
    sharedSections = Self.shared.compactMap(help.section)
  }

  init(
    words: [String], summary: String, synopsis: [String], sections: [ManualSection],
    related: [[String]]
  ) {
    self.words = words
    self.summary = summary
    self.synopsis = synopsis
    self.sections = sections
    self.related = related
  }

  /// Removes the groups of shared options, and adds a reference to them.
  mutating func takeSharedOptions() -> [ManualSection] {
    guard let options = sections.firstIndex(where: { $0.title == "OPTIONS" }) else { return [] }
    let taken = sections[options].parts.filter { SharedOptions.headings.contains($0.title) }
    guard !taken.isEmpty else { return [] }
    sections[options].parts.removeAll { SharedOptions.headings.contains($0.title) }
    sections[options].parts.append(SharedOptions.reference(to: taken.flatMap(\.entries)))
    related.append(SharedOptions.words)
    return taken
  }

  private typealias Command = (type: any ParsableCommand.Type, words: [String])

  /// The commands, each after its parent.
  private static var commands: [Command] {
    var commands: [Command] = []
    func add(_ command: any ParsableCommand.Type, _ words: [String]) {
      commands.append((command, words))
      for next in command.configuration.subcommands where next.configuration.shouldDisplay {
        add(next, words + [next._commandName])
      }
    }
    add(IssuesCommand.self, [IssuesCommand._commandName])
    return commands
  }

  /// Creates a page. It still includes the shared options.
  private init(of command: Command, names: Set<[String]>) {
    let text = IssuesCommand.helpMessage(for: command.type, columns: HelpText.columns)
    self.init(words: command.words, text: text)
    related = Self.related(
      to: words, mentionedIn: words.count == 1 ? "" : text, names: names)
  }

  private static func names(of commands: [Command]) -> Set<[String]> {
    Set(commands.map(\.words) + [SharedOptions.words])
  }

  /// The page of a subcommand, made without the others to save time.
  static func named(_ words: [String]) -> ManualPage? {
    let commands = Self.commands
    guard let command = commands.first(where: { $0.words == words }) else {
      return all.first { $0.words == words }
    }
    var page = ManualPage(of: command, names: Self.names(of: commands))
    _ = page.takeSharedOptions()
    return page
  }

  /// All pages, each after the page of its parent command, and the page of the shared options.
  static let all: [ManualPage] = {
    let commands = Self.commands
    let names = Self.names(of: commands)
    var pages = commands.map { ManualPage(of: $0, names: names) }
    let options = SharedOptions.page(takenFrom: &pages)
    pages.append(options)
    for index in pages.indices { pages[index].sharedSections = pages[0].sharedSections }
    return pages
  }()

  /// The parent command, the subcommands, and the commands that the text mentions: `'issues outbox send'`.
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
