internal import ArgumentParser
internal import PlatformModules

/// Completes the last word of a line: a subcommand, an option, or a value by the argument's own function.
///
/// A candidate may end in a tab and a description.
struct LineCompletion {
  /// The marker that replaces candidates if the shell must complete file names.
  static let files = ":files"

  private var command: any ParsableCommand.Type = IssuesCommand.self
  private var arguments: [CommandArgument] = []

  /// The words before the last one. An option and a value attached to it count as two words.
  private var words: [String] = []
  private let typed: String
  private var positionalCount = 0

  /// The option that the next word is the value of.
  private var option: (name: String, argument: CommandArgument)?

  init(_ line: ShellLine) async {
    typed = line.words[line.words.count - 1]
    var rest = GHArguments.movingRepository(in: Array(line.words.dropFirst().dropLast()))[...]
    let asksForHelp = rest.first == "help"
    if asksForHelp { rest.removeFirst() }
    while let word = rest.first,
      let next = command.configuration.subcommands.first(where: { $0.isCalled(word) })
    {
      command = next
      words.append(rest.removeFirst())
    }
    arguments = CommandArgument.all(of: asksForHelp ? ManualCommand.self : target)
    for word in rest { read(word) }
  }

  /// The subcommand that the options belong to.
  private var target: any ParsableCommand.Type {
    IssuesCommand.implied(by: command)
  }

  private mutating func read(_ word: String) {
    if option != nil || words.contains("--") || word == "-" || !word.hasPrefix("-") {
      positionalCount += option == nil ? 1 : 0
      option = nil
      words.append(word)
    } else if let (name, start, argument) = named(in: word), argument.kind == "option" {
      words.append(name)
      option = (name, argument)
      if word != name { read(String(word.dropFirst(start.count))) }
    } else {
      words.append(word)
    }
  }

  /// The option at the beginning of a word, such as `--state` and `--state=` in `--state=open`, or `-s` in `-sopen`.
  private func named(in word: String) -> (name: String, start: String, argument: CommandArgument)? {
    let isLong = word.hasPrefix("--")
    let name = String(isLong ? word.prefix { $0 != "=" } : word.prefix(2))
    return arguments.first { $0.typedNames.contains(name) }
      .map { (name, isLong && word != name ? "\(name)=" : name, $0) }
  }

  var candidates: [String] {
    get async {
      if let (name, argument) = option { return await values(of: argument, name, from: typed) }
      if typed.hasPrefix("-"), !words.contains("--") {
        guard let (name, start, argument) = named(in: typed), name != typed else { return options }
        let value = String(typed.dropFirst(start.count))
        return await values(of: argument, name, from: value, after: start)
      }
      let subcommands = subcommands.filter { $0.hasPrefix(typed) }
      return subcommands.isEmpty ? await positionals : subcommands
    }
  }

  private var isRoot: Bool { command == IssuesCommand.self }

  private var subcommands: [String] {
    guard positionalCount == 0 else { return [] }
    return command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { "\($0._commandName)\t\($0.configuration.abstract)" }
      + (isRoot ? ["help\tShow the help of a subcommand."] : [])
  }

  /// The options that the line doesn't contain yet.
  private var options: [String] {
    let arguments = arguments.filter { argument in
      argument.shouldDisplay
        && (argument.isRepeating || !argument.typedNames.contains(where: words.contains))
    }
    let options = arguments.flatMap { argument in
      argument.typedNames.map { "\($0)\t\(argument.abstract ?? "")" }
    }
    return (options + (isRoot ? ["--version\tShow the version."] : []))
      .filter { $0.hasPrefix(typed) }
  }

  private var positionals: [String] {
    get async {
      let positionals = arguments.filter { $0.kind == "positional" }
      let index = min(positionalCount, positionals.count - 1)
      guard index == positionalCount || positionals.last?.isRepeating ?? false else { return [] }
      return await values(of: positionals[index], "positional@\(index)", from: typed)
    }
  }

  private func values(
    of argument: CommandArgument, _ name: String, from typed: String, after start: String = ""
  ) async -> [String] {
    guard let (kind, details) = argument.completionKind?.first else { return [] }
    switch kind {
    case "list": return (details["values"] ?? []).filter { $0.hasPrefix(typed) }.map { start + $0 }
    case "file", "directory": return [Self.files]
    default:
      let place = [name, "\(words.count + 1)", "\(typed.count)", "issues"] + words + [typed]
      return await target.parserResponse(to: ["---completion", "--"] + place)
        .split(separator: "\n").map { start + $0 }
    }
  }
}

extension ParsableCommand {
  /// The parser's own response to the arguments.
  fileprivate static func parserResponse(to arguments: [String]) async -> String {
    do {
      if let command = Self.self as? any AsyncParsableCommand.Type {
        _ = try await command.asyncParseAsRoot(arguments)
      } else {
        _ = try parseAsRoot(arguments)
      }
      return ""
    } catch {
      return message(for: error)
    }
  }
}
