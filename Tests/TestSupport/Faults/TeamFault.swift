/// A row of the table of faults of a team's mirror in PostgreSQL, which the command meets.
public struct TeamFault: Sendable, CustomStringConvertible {
  /// The target of the connection string.
  public enum Database: Sendable {
    /// A mirror of `a/b` with one issue, as its owner.
    case mirror
    /// The same, as a role that may only read.
    case reader
    /// The same, as a role without rights.
    case stranger
    /// The same, updated by a later version.
    case later
    /// The same, with an impossible version.
    case damaged
    /// A database without tables.
    case empty
    /// A database that the server doesn't have.
    case missing
    /// A socket where no server is.
    case nowhere
    /// This text, which is understood without libpq.
    case text(String)
    /// This text, which libpq reads.
    case address(String)
  }

  /// The source of the database's name.
  public enum Origin: Sendable {
    case option, variable, configuration
  }

  /// The fault.
  public var fault: String
  /// The promise.
  public var promise: String
  /// The words of the command.
  public var command: [String]
  /// The target of the connection string.
  public var database: Database
  /// The source of its name.
  public var origin: Origin
  /// The exit status.
  public var status: Int32
  /// Words of standard error.
  public var words: [String]
  /// Whether libpq is installed.
  public var hasLibrary = true

  private init(
    _ fault: String, _ promise: String, _ database: Database, _ status: Int32, _ words: [String],
    command: [String] = ["list", "a/b", "--offline"], origin: Origin = .option,
    hasLibrary: Bool = true
  ) {
    self.fault = fault
    self.promise = promise
    self.command = command
    self.database = database
    self.status = status
    self.words = words
    self.origin = origin
    self.hasLibrary = hasLibrary
  }

  /// The fault.
  public var description: String { fault }

  /// A part of a string that nothing may repeat.
  public static let secret = "hunter2"

  /// A placeholder in a command for a port with a listener.
  public static let takenPort = "PORT"

  /// Whether a server has to run, or libpq to be installed.
  public var needsPostgres: Bool {
    switch database {
    case .text: false
    case .nowhere, .address: hasLibrary
    case .mirror, .reader, .stranger, .later, .damaged, .empty, .missing: true
    }
  }

  /// Every row.
  public static let all = [
    TeamFault(
      "no server", "an error with the reason", .nowhere, 74,
      ["The mirror in the database", "can't be reached", "No such file or directory"]),
    TeamFault(
      "no server, for a sync", "as above, before a request", .nowhere, 74,
      ["can't be reached"], command: ["sync", "a/b"], origin: .variable),
    TeamFault(
      "libpq isn't installed", "an error that names its packages", .nowhere, 74,
      ["libpq5 (Debian, Ubuntu)"], hasLibrary: false),
    TeamFault(
      "the server has no such database", "an error", .missing, 74,
      ["can't be reached", "does not exist"]),
    TeamFault(
      "a role without rights", "an error, and whom to ask", .stranger, 74,
      [
        "doesn't allow this role to do that", "permission denied for schema issues",
        "Ask its owner",
      ]),
    TeamFault(
      "`sync` by a role that may only read", "as above", .reader, 74,
      ["doesn't allow this role to do that", "permission denied", "Ask its owner"],
      command: ["sync", "a/b"]),
    TeamFault(
      "nobody has synced into the database", "an error that says how", .empty, 3,
      ["there is no mirror of", "in the database", "issues sync a/b"]),
    TeamFault(
      "the mirror is of a later version", "an error", .later, 74,
      ["updated by a later version", "update this program"]),
    TeamFault(
      "`worker`, and the mirror is of a later version", "an error; nothing is taken", .later, 74,
      ["updated by a later version", "update this program"], command: ["worker", "--once"]),
    TeamFault(
      "the mirror has an impossible version", "an error", .damaged, 74,
      ["is damaged: its version is -1"]),
    TeamFault(
      "`sync`, and the mirror has an impossible version", "as above", .damaged, 74,
      ["is damaged: its version is -1"], command: ["sync", "a/b"]),
    TeamFault(
      "a password in `--database`", "an error that says where to keep it; nothing repeats it",
      .text("postgres://issues:hunter2@127.0.0.1/issues"), 64,
      ["others on this machine can see", "PGPASSFILE"]),
    TeamFault(
      "a password among the parameters of `--database`", "as above",
      .address("postgres:///issues?pass%77ord=hunter2"), 64, ["PGPASSFILE"]),
    TeamFault(
      "`--database` isn't a connection string", "an error that says what is",
      .text("hunter2"), 64, ["--database requires postgres://"]),
    TeamFault(
      "`ISSUES_DATABASE` isn't a connection string", "as above; nothing repeats it",
      .address("postgres://issues:hunter2@[127.0.0.1/issues"), 64,
      ["ISSUES_DATABASE isn't a connection string"], origin: .variable),
    TeamFault(
      "`database` of the configuration isn't a connection string", "as above",
      .text("hunter2"), 78, ["config.toml:1:12: 'database' must be a PostgreSQL connection string"],
      origin: .configuration),
    TeamFault(
      "`worker` with the mirror on this machine", "an error; `sync --watch` does it",
      .text("local"), 64, ["has no queue for workers", "sync --all --watch"], command: ["worker"],
      origin: .variable),
    TeamFault(
      "`worker` by a role that may only read", "an error, and whom to ask; nothing is taken",
      .reader, 74, ["doesn't allow this role to do that", "Ask its owner"],
      command: ["worker", "--once"]),
    TeamFault(
      "`worker`, and no server", "an error with the reason", .nowhere, 74, ["can't be reached"],
      command: ["worker", "--once"]),
    TeamFault(
      "`worker --listen` with a port that is taken",
      "an error that names it; nothing is taken from the queue", .mirror, 1,
      ["can't listen on 127.0.0.1:", "in use", "any free one"],
      command: ["worker", "--once", "--listen", takenPort]),
    TeamFault(
      "`worker remove` of what isn't in the queue", "an error", .mirror, 3, ["not in the queue"],
      command: ["worker", "remove", "c/d"]),
    TeamFault(
      "`sql`", "an error: psql reads it", .mirror, 64,
      ["SQLite's SQL", "psql", "--database local"], command: ["sql", "SELECT 1"], origin: .variable),
    TeamFault(
      "`mirror path`", "an error: it has none", .mirror, 64, ["has no path"],
      command: ["mirror", "path"]),
    TeamFault(
      "`mirror check`", "an error: its server checks it", .mirror, 64,
      ["whose server checks its own files"], command: ["mirror", "check"], origin: .configuration),
  ]
}
