import PlatformModules

/// A PgBouncer in front of a server of PostgreSQL, on a socket in a folder of its own. It ends with the process.
public struct PgBouncer: Sendable {
  /// When a connection to the server becomes free for other clients.
  public enum Mode: String, Sendable, CaseIterable {
    /// After each transaction.
    case transaction
    /// After the client has left.
    case session
  }

  /// The folder of the socket.
  private let folder: String
  private let run: CommandRun

  private static let program = ["/usr/sbin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether there can be one.
  public static let isInstalled = PostgresServer.isInstalled && program != nil
  /// Why tests are skipped where there can't.
  public static let absence = "install PgBouncer: Scripts/install-dependencies --postgres"

  private static let shared = Mode.allCases.reduce(into: [:]) { all, mode in
    all[mode] = Task { try await start(mode, before: PostgresServer.running()) }
  }

  /// The one of all tests, in front of the server of all tests.
  ///
  /// - Throws: ``PostgresServer/Failure`` if it can't be started.
  public static func running(_ mode: Mode) async throws -> PgBouncer {
    guard let task = shared[mode] else { throw PostgresServer.Failure(description: absence) }
    return try await task.value
  }

  /// The connection string of the owner's database.
  public var address: String { address(of: "postgres") }

  /// The connection string of a database.
  public func address(of database: String, as role: String = "issues") -> String {
    "host=\(folder) port=6432 user=\(role) dbname=\(database)"
  }

  /// Starts one in front of a server.
  ///
  /// - Parameters:
  ///   - mode: When a connection becomes free.
  ///   - server: The server, which must run for longer.
  ///   - roles: The roles that may connect.
  /// - Returns: The pooler.
  /// - Throws: ``PostgresServer/Failure`` if it can't be started.
  public static func start(
    _ mode: Mode, before server: PostgresServer, for roles: [String] = ["issues"]
  ) async throws -> PgBouncer {
    guard let program else { throw PostgresServer.Failure(description: absence) }
    // In the mode of transactions, far more clients than connections to the server, so that each gets any of them.
    let size = mode == .transaction ? 3 : 200
    let run = try CommandRun(
      "/bin/sh",
      [
        "-c", script, "sh", program, ScratchFolder.parent, server.folder, mode.rawValue, "\(size)",
      ] + roles,
      input: nil)
    let folder = try await run.waitFor(after: 0) { data -> String? in
      String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().first { $0.hasPrefix("ready ") }.map { String($0.dropFirst(6)) }
    }.found
    return PgBouncer(folder: folder, run: run)
  }

  /// Ends it.
  public func stop() { run.closeInput() }

  /// It refuses to run as root, like the server. The script waits for the end of its input: that of the tests' process.
  private static let script = """
    set -eu
    folder=$(mktemp -d "$2/issues-pgbouncer-XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    cat >"$folder/pgbouncer.ini" <<END
    [databases]
    * = host=$3
    [pgbouncer]
    pool_mode = $4
    default_pool_size = $5
    max_client_conn = 400
    listen_port = 6432
    unix_socket_dir = $folder
    auth_type = trust
    auth_file = $folder/users
    logfile = $folder/log
    pidfile = $folder/pid
    END
    program=$1
    shift 5
    printf '"%s" ""\\n' "$@" >"$folder/users"
    as=
    if [ "$(id -u)" = 0 ]; then
      user=postgres
      id $user >/dev/null 2>&1 || user=nobody
      chown $user "$folder" "$folder"/*
      as="setpriv --reuid=$user --regid=$(id -g $user) --clear-groups"
    fi
    $as "$program" -q "$folder/pgbouncer.ini" </dev/null >"$folder/out" 2>&1 &
    process=$!
    until [ -S "$folder/.s.PGSQL.6432" ]; do
      kill -0 $process || { cat "$folder/out" "$folder/log" >&2; exit 1; }
    done
    echo "ready $folder"
    cat >/dev/null
    kill -9 $process
    wait
    """
}
