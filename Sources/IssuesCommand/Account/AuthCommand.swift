internal import ArgumentParser

/// `issues auth`: what has to do with access tokens.
struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth",
    abstract: "See where the access token comes from.",
    subcommands: [AuthStatusCommand.self],
    defaultSubcommand: AuthStatusCommand.self)
}
