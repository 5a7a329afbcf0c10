internal import ArgumentParser
internal import PlatformModules

/// An argument or an option of a command, as described by the parser.
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

  /// The kind: `positional`, `option` or `flag`.
  let kind: String
  let shouldDisplay: Bool
  let isRepeating: Bool
  let names: [Name]?
  let valueName: String?
  let abstract: String?
  let defaultValue: String?
  let allValues: [String]?
  /// The title of the argument's group.
  let sectionTitle: String?
  let completionKind: [String: [String: [String]]]?

  var typedNames: [String] {
    (names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
  }

  /// The arguments in the order of their declaration, including the ones that every command has: `--help` and
  /// `--version`.
  static func all(of command: any ParsableCommand.Type) -> [CommandArgument] {
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    return tool?.command.arguments ?? []
  }
}
