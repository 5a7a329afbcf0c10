internal import ArgumentParser
internal import PlatformModules

/// An argument or an option of a command, as the parser describes it.
struct CommandArgument: Decodable {
  struct Name: Decodable {
    let kind: String
    let name: String
  }

  private struct Tool: Decodable {
    struct Command: Decodable {
      let arguments: [CommandArgument]?
    }
    let command: Command
  }

  /// `positional`, `option` or `flag`.
  let kind: String
  let shouldDisplay: Bool
  let isRepeating: Bool
  let names: [Name]?
  let valueName: String?
  let abstract: String?
  let defaultValue: String?
  let allValues: [String]?
  /// The title of its group.
  let sectionTitle: String?
  let completionKind: [String: [String: [String]]]?

  var typedNames: [String] {
    (names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
  }

  /// In the order of their declaration, including those of every command: `--help` and `--version`.
  static func all(of command: any ParsableCommand.Type) -> [CommandArgument] {
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    return tool?.command.arguments ?? []
  }
}
