internal import ArgumentParser

/// Transforms command lines that gh accepts but the parser rejects.
enum GHArguments {
  private static let maximumForms = 32

  /// Moves `--repo` from before a subcommand's name to after it, as in `gh issue -R owner/repo view 12`.
  static func movingRepository(in arguments: [String]) -> [String] {
    let options = arguments[..<leadingOptions(of: arguments)]
    let rest = arguments[options.endIndex...]
    guard !options.isEmpty, let first = rest.first, MistypedCommand.looksLikeName(first) else {
      return arguments
    }
    var names = 0
    var command: any ParsableCommand.Type = IssuesCommand.self
    for word in rest {
      guard let next = command.configuration.subcommands.first(where: { $0.isCalled(word) }) else {
        break
      }
      command = next
      names += 1
    }
    // An unknown subcommand is also moved to the beginning, so that the message is about it.
    return Array(rest.prefix(max(1, names)) + options + rest.dropFirst(max(1, names)))
  }

  private static func leadingOptions(of arguments: [String]) -> Int {
    var count = 0
    while count < arguments.count {
      switch arguments[count] {
      case "-R", "--repo": count += 2
      case let word where word.hasPrefix("-R") || word.hasPrefix("--repo="): count += 1
      default: return count
      }
    }
    return min(count, arguments.count)
  }

  /// Attaches text that begins with three hyphens, such as a rule in Markdown, to its option, because the parser
  /// rejects such a word in any position.
  static func attachingRules(in arguments: [String]) -> [String] {
    arguments.reduce(into: []) { words, word in
      if word.hasPrefix("---"), let option = words.last, option.hasPrefix("-"), option != "--" {
        words[words.count - 1] = "\(option)=\(word)"
      } else {
        words.append(word)
      }
    }
  }

  /// The other possible meanings of a command line with words such as `-wL5`, beginning with those that have the fewest
  /// flags in a word.
  ///
  /// The parser doesn't find a value in a word that begins with a flag, and only the parser knows the flags of each
  /// subcommand. Therefore the first line that it can parse is used.
  static func separatingValues(in arguments: [String]) -> [[String]] {
    var lines: [[String]] = [[]]
    let options = arguments.prefix { $0 != "--" }
    for word in options {
      let forms = forms(of: word)
      guard lines.count * forms.count <= maximumForms else { return [] }
      lines = lines.flatMap { line in forms.map { line + $0 } }
    }
    return lines.dropFirst().map { $0 + arguments[options.endIndex...] }
  }

  /// The possible forms of a word: unchanged, and split after each of its first letters.
  private static func forms(of word: String) -> [[String]] {
    let maximumFlags = 4
    let letters = word.dropFirst()
    guard word.hasPrefix("-"), !word.hasPrefix("--"), letters.count > 2 else { return [[word]] }
    let flags = letters.prefix(maximumFlags).prefix { $0.isASCII && $0.isLetter }
    return [[word]]
      + (0..<min(flags.count, letters.count - 2)).map { last in
        ["-\(letters.prefix(last + 1))", "-\(letters.dropFirst(last + 1))"]
      }
  }
}
