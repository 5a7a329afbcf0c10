internal import ArgumentParser

/// The option for the mirror that a command reads or writes.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A team's mirror in PostgreSQL, by a connection string without a password, or 'local' for \
      the mirror on this machine. (default: ISSUES_DATABASE, or 'database' of the configuration)
      """, valueName: "address"),
    completion: .custom(DatabaseCompletion.candidates))
  var database: String?

  var name: DatabaseName? { database.flatMap { DatabaseName($0, from: .option) } }

  // The option has no transform, because the parser would show the rejected value.
  func validate() throws {
    guard let database else { return }
    guard let name = DatabaseName(database, from: .option) else {
      throw ValidationError("--database requires \(DatabaseName.expectation).")
    }
    guard !name.showsPassword else {
      throw ValidationError("--database: \(DatabaseName.passwordAdvice)")
    }
  }
}

/// A command whose mirror may be a team's.
protocol DatabaseCommand: SessionCommand {
  var database: DatabaseOptions { get }
}

extension DatabaseCommand {
  var chosenDatabase: DatabaseName? { database.name }
}
