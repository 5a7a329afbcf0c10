internal import ConcurrencyPrimitives
internal import PlatformModules

/// A server of PostgreSQL for this process, on a socket in a folder of its own. It ends with the process, however that
/// ends, and the folder goes with it.
public struct PostgresServer: Sendable {
  /// Why a server or a program of it failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The server's message.
    public let description: String
  }

  /// The folder of the socket.
  public let folder: String
  private let programs: String
  private let run: CommandRun

  /// The folder of the newest server's programs; nil if none is installed.
  public static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let folders =
      versions.compactMap(Int.init).sorted(by: >).map { "\(folder)/\($0)/bin" }
      + ["/opt/homebrew/opt/postgresql/bin", "/usr/local/pgsql/bin", "/usr/bin"]
    return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  /// Whether there can be a server.
  public static let isInstalled = programs != nil
  /// Why tests are skipped where there can't.
  public static let absence = "install PostgreSQL: Scripts/install-dependencies --postgres"

  private static let shared = Task { try await start(settings: forTests + unsafeSettings) }
  private static let names = Locked(0)

  /// The server of all tests.
  ///
  /// - Throws: ``Failure`` if it can't be started.
  public static func running() async throws -> PostgresServer { try await shared.value }

  /// An unused schema.
  public static func newSchema() -> String { "test \"\(nextNumber())\"" }

  private static func nextNumber() -> Int {
    names.withLock { count in
      count += 1
      return count
    }
  }

  /// The connection string of the owner's own database.
  public var address: String { address(of: "postgres") }

  /// The connection string of a database.
  public func address(of database: String, as role: String = "issues") -> String {
    "host=\(folder) user=\(role) dbname=\(database)"
  }

  /// Makes an empty database.
  ///
  /// - Returns: Its name.
  /// - Throws: ``Failure``.
  public func makeDatabase() async throws -> String {
    let name = "test\(Self.nextNumber())"
    try await run("createdb", ["-h", folder, "-U", "issues", name])
    return name
  }

  /// Runs SQL as psql does.
  ///
  /// - Returns: Its rows, with tabs between values.
  /// - Throws: ``Failure`` if a statement fails.
  @discardableResult
  public func psql(
    _ sql: String, in database: String, as role: String = "issues"
  ) async throws -> String {
    try await run(
      "psql",
      [
        "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", role,
        "-c", sql, database,
      ])
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) async throws -> String {
    let result = try await CommandRun.run("\(programs)/\(program)", arguments)
    guard result.status == .exited(0) else {
      throw Failure(description: "\(program): \(result.errorText)")
    }
    return result.outputText
  }

  /// Settings that suit tests: many connections, and deadlocks that are found at once.
  public static let forTests = [
    "max_connections=300", "deadlock_timeout=20ms", "max_locks_per_transaction=256",
  ]
  /// Settings that save time where the data needn't survive a crash of the server.
  private static let unsafeSettings = [
    "fsync=off", "full_page_writes=off", "synchronous_commit=off",
  ]

  /// Runs a closure with a server of its own, which ends with it.
  ///
  /// - Parameters:
  ///   - settings: As `name=value`, without blanks.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: ``Failure`` if there can be no server, and the closure's error.
  public static func withServer<Value: Sendable>(
    settings: [String] = forTests, _ body: @Sendable (PostgresServer) async throws -> Value
  ) async throws -> Value {
    let server = try await start(settings: settings)
    do {
      let value = try await body(server)
      await server.stop()
      return value
    } catch {
      await server.stop()
      throw error
    }
  }

  /// How a server ends.
  public enum Ending: String, Sendable, CaseIterable {
    /// It ends its connections, and puts everything in order.
    case fast
    /// It crashes, and has to recover from the disk.
    case immediate
  }

  /// Ends the server and starts it anew, and waits until it answers.
  ///
  /// - Throws: ``Failure`` if it doesn't start.
  public func restart(_ ending: Ending) async throws {
    let known = try await run.waitFor(after: 0) { $0.isEmpty ? nil : true }.end
    run.write(ending.rawValue + "\n")
    _ = try await run.waitFor(after: known) { data in
      data.firstRange(of: Data("restarted\n".utf8)).map { _ in true }
    }
  }

  /// Stops all processes of the server while a closure runs: its connections stay open, and nothing responds.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: ``Failure``, and the closure's error.
  public func whileSilent<Value: Sendable>(
    _ body: () async throws -> Value
  ) async throws -> Value {
    let file = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    let backends = try await psql("SELECT pid FROM pg_stat_activity", in: "postgres")
    // The first one accepts connections, so that no process is added after it has stopped.
    let processes = ([file.prefix { $0 != "\n" }] + backends.split(separator: "\n"))
      .compactMap { pid_t($0) }
    for process in processes { kill(process, SIGSTOP) }
    defer { for process in processes { kill(process, SIGCONT) } }
    return try await body()
  }

  private func stop() async {
    run.closeInput()
    let run = run
    // Without fail: a test that is cancelled leaves no server behind.
    _ = await Task { try? await run.result() }.value
  }

  private static func start(settings: [String]) async throws -> PostgresServer {
    guard let programs else { throw Failure(description: absence) }
    let options = settings.map { "-c \($0)" }.joined(separator: " ")
    let run = try CommandRun(
      "/bin/sh", ["-c", script, "sh", programs, ScratchFolder.parent, options], input: nil)
    let folder = try await run.waitFor(after: 0) { data -> String? in
      String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().first { $0.hasPrefix("ready ") }.map { String($0.dropFirst(6)) }
    }.found
    return PostgresServer(folder: folder, programs: programs, run: run)
  }

  /// The server refuses to run as root. The script waits for the end of its input: that of the tests' process.
  private static let script = """
    set -eu
    folder=$(mktemp -d "$2/issues-postgres-XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    as=
    if [ "$(id -u)" = 0 ]; then
      user=postgres
      id $user >/dev/null 2>&1 || user=nobody
      chown $user "$folder"
      as="setpriv --reuid=$user --regid=$(id -g $user) --clear-groups"
    fi
    cd "$folder"
    $as "$1/initdb" -D "$folder/data" -U issues -A trust -E UTF8 --locale=C --no-sync >"$folder/log"
    start() {
      $as "$1/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w -t 300 \
        -o "-k $folder -c listen_addresses='' $2" start >>"$folder/log"
    }
    start "$1" "$3"
    echo "ready $folder"
    while read -r ending; do
      $as "$1/pg_ctl" -D "$folder/data" -m "$ending" -w stop >>"$folder/log"
      start "$1" "$3"
      echo restarted
    done
    $as "$1/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1
    """
}
