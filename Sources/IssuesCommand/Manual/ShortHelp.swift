internal import ArgumentParser
internal import StyledText

/// The text of `-h` and `--help`: a page that fits on a screen. The full text is in ``ManualPage``.
///
/// All content comes from the command's declaration: its usage, its abstract, its own options in the order of their
/// declaration, each with as many clauses of its description as fit into a line, and the first lines of EXAMPLES in its
/// discussion.
struct ShortHelp {
  static let maximumLines = 45
  static let columns = 80
  private static let maximumExamples = 5

  let lines: [String]

  var text: String { lines.joined(separator: "\n") }

  /// Creates the help. `name` are the words of the command's name: `["issues", "list"]`.
  init(of command: any ParsableCommand.Type, named name: [String]) {
    // The parser doesn't have the subcommand `help`.
    let root: any ParsableCommand.Type =
      command == ManualCommand.self ? ManualCommand.self : IssuesCommand.self
    let help = HelpText(root.helpMessage(for: command, columns: HelpText.columns))
    let usage = help.usage.enumerated().flatMap { index, line in
      Self.wrapped(line, after: index == 0 ? "USAGE: " : "       ")
    }
    let beginning = usage + [""] + Self.wrapped(help.summary)
    let page = name.dropFirst().joined(separator: " ")
    var end = ["", "LEARN MORE:"]
    if command == IssuesCommand.self {
      lines =
        beginning + Self.purposes(IssuesCommand.purposes) + Self.examples(in: help, 4) + end + [
          "  issues <subcommand> --help       (the options of a subcommand)",
          "  issues help <subcommand>         (everything about it; or 'man issues-list')",
          "  issues help options, issues help environment, issues help exit-status",
        ]
      return
    }
    end.append(
      root == command
        ? "  issues --help, man issues"
        : "  issues help \(page), man \(name.joined(separator: "-"))")
    end = Self.examples(in: help, Self.maximumExamples) + end
    let subcommands = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let arguments = CommandArgument.all(of: command).filter(\.isListed)
    // Of a flag and its inversion, only the flag is shown.
    let own = arguments.filter { argument in
      !SharedOptions.include(argument)
        && !argument.typedNames.contains { name in
          name.hasPrefix("--no-")
            && arguments.contains { $0.typedNames.contains("--\(name.dropFirst(5))") }
        }
    }
    let rows =
      subcommands.map { ($0._commandName, Clauses($0.configuration.abstract)) }
      + own.map { ($0.label, $0.clauses) }
    let shared = SharedOptions.line(naming: arguments)
    var options: [String] = []
    if !rows.isEmpty || !shared.isEmpty {
      options += ["", subcommands.isEmpty ? "OPTIONS:" : "SUBCOMMANDS:"]
      options += Self.table(
        rows, maximumLines: Self.maximumLines - beginning.count - end.count - 2 - shared.count,
        page: page)
    }
    lines = beginning + options + shared + end
  }

  /// Creates the help that a line requests, for the subcommand that its first words name, or for the implied one.
  init(for arguments: [String]) {
    var name = IssuesCommand.name(at: arguments)
    var command: any ParsableCommand.Type = IssuesCommand.self
    for word in name.dropFirst() {
      command = command.configuration.subcommands.first { $0._commandName == word } ?? command
    }
    switch arguments.first {
    case nil, "-h", "--help": break
    case ManualCommand.name?:
      if arguments.count > 1 {
        command = ManualCommand.self
        name.append(ManualCommand.name)
      }
    case _?:
      if name.count == 1 {
        command = IssuesCommand.implied(by: command)
        name.append(command._commandName)
      }
    }
    self.init(of: command, named: name)
  }

  /// Lays out rows. If the space is too small for all of them, the last ones are listed only by name.
  private static func table(
    _ rows: [(label: String, clauses: Clauses)], maximumLines: Int, page: String
  ) -> [String] {
    let widest = rows.map(\.label.count).filter { $0 <= 27 }.max() ?? 0
    let entries = rows.map { row in
      let label = "  \(row.label)"
      let start = String(repeating: " ", count: widest + 4)
      let texts = wrapped(row.clauses.fitting(columns - start.count), after: start, start)
      guard label.count <= widest + 2 else { return [label] + texts }
      return [label + texts[0].dropFirst(label.count)] + texts.dropFirst()
    }
    var count = rows.count
    while count > 0 {
      let more = rows[count...].map {
        $0.label.split(separator: " ").last { $0.first == "-" } ?? ""
      }
      let rest =
        more.isEmpty ? [] : wrapped(more.joined(separator: ", "), after: "  More: ", "        ")
      let shown = entries[..<count].flatMap(\.self) + rest
      if shown.count <= maximumLines { return shown }
      count -= 1
    }
    return []
  }

  private static func examples(in help: HelpText, _ maximum: Int) -> [String] {
    guard case .lines(let examples)? = help.section("EXAMPLES")?.blocks.first else { return [] }
    return ["", "EXAMPLES:"] + examples.prefix(maximum).map { "  \($0)" }
  }

  private static func purposes(_ purposes: [CommandPurpose]) -> [String] {
    let width = purposes.flatMap(\.usual).map { $0._commandName.count }.max() ?? 0
    return purposes.flatMap { purpose in
      ["", "\(purpose.title):"]
        + purpose.usual.map { command in
          let start = "  " + command._commandName
          let label = start + String(repeating: " ", count: width + 4 - start.count)
          return label
            + Clauses(command.configuration.abstract).fitting(columns - label.count)
        }
        + wrapped(
          purpose.others.map { $0._commandName }.joined(separator: ", "),
          after: purpose.usual.isEmpty ? "  " : "  Also: ",
          purpose.usual.isEmpty ? "  " : "        ")
    }
  }

  private static func wrapped(
    _ text: String, after start: String = "", _ hanging: String? = nil
  ) -> [String] {
    StyledLine(text)
      .wrapped(
        to: columns, indent: StyledLine(start),
        hangingIndent: StyledLine(hanging ?? String(repeating: " ", count: start.count))
      )
      .map { $0.rendered(in: .none) }
  }
}

/// A description, split into sentences and parts of sentences: `The issue; 12 or '#12'. (default: 1)`.
struct Clauses {
  private let clauses: [Substring]
  private let values: String
  private let fallback: String

  init(_ text: String, values: [String]? = nil, defaultValue: String? = nil) {
    var text = text[...]
    var fallback = defaultValue.map { " (default: \($0))" } ?? ""
    if let written = text.firstMatch(of: /\ \(default: [^)]*\)/) {
      fallback = String(written.output)
      text.removeSubrange(written.range)
    }
    self.fallback = fallback
    self.values = values.map { " {\($0.joined(separator: "|"))}" } ?? ""
    var clauses: [Substring] = []
    while let end = text.firstRange(of: /[.;]\ /) {
      clauses.append(text[..<text.index(after: end.lowerBound)])
      text = text[end.upperBound...]
    }
    self.clauses = clauses + [text]
  }

  /// As many clauses as fit into the columns, but at least the first one.
  func fitting(_ columns: Int) -> String {
    let first = Self.unmarked(clauses[0]) + values
    let whole = first + fallback
    guard whole.count <= columns else { return first }
    guard values.isEmpty, fallback.isEmpty else { return whole }
    for count in (1...clauses.count).reversed() {
      let text = Self.unmarked(clauses[..<count].joined(separator: " ")[...])
      if text.count <= columns { return text }
    }
    return first
  }

  private static func unmarked(_ clause: Substring) -> String {
    String([".", ";"].contains(clause.last) ? clause.dropLast() : clause)
  }
}

extension CommandArgument {
  /// Whether the help lists it: it is neither hidden nor common to all commands.
  fileprivate var isListed: Bool {
    shouldDisplay && !["--help", "--version"].contains(where: typedNames.contains)
  }

  /// The label, such as `-s, --state <state>`.
  fileprivate var label: String {
    let value = valueName.map { " <\($0)>" } ?? ""
    guard kind != "positional" else { return value.dropFirst() + "" }
    let names = typedNames.sorted {
      $0.hasPrefix("--") == $1.hasPrefix("--") ? false : !$0.hasPrefix("--")
    }
    return names.joined(separator: ", ") + (kind == "option" ? value : "")
  }

  fileprivate var clauses: Clauses {
    Clauses(abstract ?? "", values: allValues, defaultValue: kind == "flag" ? nil : defaultValue)
  }
}
