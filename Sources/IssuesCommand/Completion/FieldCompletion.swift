internal import ArgumentParser

enum FieldCompletion {
  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    let typed = value(of: prefix).split(separator: ",", omittingEmptySubsequences: false)
    let given = typed.dropLast().map(String.init)
    let beginning = String(typed.last ?? "")
    let command = IssuesCommand.subcommand(at: words.dropFirst()) as? any JSONCommand.Type
    return (command?.jsonFields.names ?? [])
      .filter { $0.hasPrefix(beginning) && !given.contains($0) }
      .map { (given + [$0]).joined(separator: ",") }
  }

  /// The typed part of an option's value: zsh and fish pass the option too, where both are one word.
  static func value(of prefix: String) -> String {
    guard prefix.hasPrefix("--"), let mark = prefix.firstIndex(of: "=") else { return prefix }
    return String(prefix[prefix.index(after: mark)...])
  }
}
