internal import ArgumentParser

enum FieldCompletion {
  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    let typed = prefix.split(separator: ",", omittingEmptySubsequences: false)
    let given = typed.dropLast().map(String.init)
    let beginning = String(typed.last ?? "")
    let command = IssuesCommand.subcommand(at: words.dropFirst()) as? any JSONCommand.Type
    return (command?.jsonFields.names ?? [])
      .filter { $0.hasPrefix(beginning) && !given.contains($0) }
      .map { (given + [$0]).joined(separator: ",") }
  }
}
