internal import ArgumentParser
internal import GitHubAPI

/// An unknown word in place of a subcommand's name.
struct MistypedCommand: Hashable {
  let word: String
  let suggestion: String?
  /// The equivalent here of gh's subcommand with this name.
  let advice: String?
  let mayBeRepository: Bool

  /// Finds a mistyped name; nil for words with slashes or colons, options and numbers.
  init?(in arguments: [String]) {
    let asksForHelp = arguments.first == "help"
    var words = arguments[...]
    if asksForHelp { words.removeFirst() }
    // For a list, whose first word is usually a repository, the names needn't be collected.
    guard asksForHelp || words.first.map(Self.looksLikeName) ?? false else { return nil }
    var command: any ParsableCommand.Type = IssuesCommand.self
    var names: [String] = []
    while let word = words.popFirst(), !command.configuration.subcommands.isEmpty {
      if let next = command.configuration.subcommands.first(where: { $0.isCalled(word) }) {
        command = next
        names.append(next._commandName)
        continue
      }
      let isRoot = command == IssuesCommand.self
      guard asksForHelp ? !word.hasPrefix("-") : Self.looksLikeName(word),
        !isRoot || word != ManualCommand.name,
        !isRoot || !asksForHelp || !ManualCommand.isTopic(word)
      else { return nil }
      self.word = word
      advice = ForeignNames.advice(onCommand: names + [word])
      suggestion = Self.nearest(
        to: word, among: command.configuration.subcommands.map { $0._commandName })
      mayBeRepository = isRoot && !asksForHelp
      return
    }
    return nil
  }

  var message: String {
    if let advice { return "There is no command '\(word)'. \(advice)" }
    return switch (suggestion, mayBeRepository) {
    case (let suggestion?, true):
      "There is no command '\(word)'; did you mean '\(suggestion)'? A repository is OWNER/REPO."
    case (let suggestion?, false):
      "There is no command '\(word)'; did you mean '\(suggestion)'?"
    case (nil, true):
      """
      '\(word)' is neither a command nor a repository (OWNER/REPO). To search for one, use 'issues \
      search-repos \(word)'.
      """
    case (nil, false):
      "There is no command '\(word)'. 'issues --help' lists the commands."
    }
  }

  static func looksLikeName(_ word: String) -> Bool {
    word.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
      && !word.hasPrefix("-") && word.utf8.count <= 40
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Finds a name that begins with the word, or that differs in only a few letters.
  static func nearest(to word: String, among names: [String]) -> String? {
    // No name is that long, and comparing long words is slow.
    guard looksLikeName(word) else { return nil }
    let word = word.lowercased()
    // These are names in gh and hub.
    if let name = ["ls": "list", "show": "view"][word], names.contains(name) { return name }
    return Spelling.nearest(to: word, among: names)
  }
}

extension ParsableCommand {
  static func isCalled(_ name: String) -> Bool {
    _commandName == name || configuration.aliases.contains(name)
  }

  /// The name of the subcommand that the first words lead to, such as `["issues", "outbox", "send"]`.
  static func name(at words: [String]) -> [String] {
    var command: any ParsableCommand.Type = Self.self
    var name = [_commandName]
    for word in words {
      let next = command.configuration.subcommands.first { $0.isCalled(word) }
      guard let next else { break }
      command = next
      name.append(next._commandName)
    }
    return name
  }

  /// The subcommand that the first words lead to, or else the group's default.
  static func subcommand(at words: ArraySlice<String>) -> any ParsableCommand.Type {
    var command: any ParsableCommand.Type = Self.self
    for word in words {
      let next = command.configuration.subcommands.first { $0.isCalled(word) }
      guard let next else { break }
      command = next
    }
    return IssuesCommand.implied(by: command)
  }
}
