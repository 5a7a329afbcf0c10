internal import CPostgres
internal import PlatformModules

/// The address of a database: a connection string in libpq's syntax
/// (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>). libpq parses it, and also handles
/// services, password files, environment variables and TLS.
struct PostgresAddress: Sendable, CustomStringConvertible {
  private let text: String
  /// The settings specified in the string.
  private let stated: [String: String]
  /// Whether the string contains a password.
  let hasPassword: Bool
  /// The effective settings, except those of a service.
  private let settings: [String: String]
  /// The seconds to wait for a server, if they aren't those of the settings.
  private var timeLimit: Int?

  init(_ text: String) throws {
    try PostgresLibrary.load()
    guard !text.utf8.contains(0), let options = unsafe cpostgres_parse(text) else {
      throw PostgresFailure(
        """
        the connection string isn't understood; it must be like postgres://USER@HOST:PORT/DATABASE, \
        'host=HOST dbname=DATABASE' or service=NAME
        """)
    }
    self.text = text
    var hasPassword = false
    stated = unsafe Self.values(of: options) { hasPassword = true }
    self.hasPassword = hasPassword
    let defaults = unsafe cpostgres_defaults().map { unsafe Self.values(of: $0) } ?? [:]
    settings = defaults.merging(stated) { $1 }
  }

  /// A description for messages, without a password.
  var place: String {
    if let service = stated["service"] { return "the database of the service \(service)" }
    let host = settings["host"].flatMap { $0.isEmpty ? nil : $0 } ?? settings["hostaddr"]
    let port = settings["port"].map { ":\($0)" } ?? ""
    let name = settings["dbname"] ?? settings["user"] ?? ""
    return "the database \(name) on \(host ?? "this machine")\(port)"
  }

  var description: String { place }

  /// Opens a connection, which the caller must close.
  func connect() throws -> OpaquePointer {
    let present = try present()
    // If two settings have the same name, the later one is used.
    var parameters: [(String, String)] = [("fallback_application_name", "issues")]
    parameters += Self.timeLimits.filter { present[$0.0] == nil }
    parameters.append(("dbname", text))
    parameters.append(("client_encoding", "UTF8"))
    if let timeLimit { parameters.append(("connect_timeout", "\(timeLimit)")) }
    let mode = unsafe getenv("PGSSLMODE").map { unsafe String(cString: $0) }
    if try needsVerification(environment: mode.map { ["PGSSLMODE": $0] } ?? [:]) {
      parameters.append(("sslmode", "verify-full"))
    }
    let connection = unsafe Self.withStrings(parameters) { keywords, values in
      unsafe cpostgres_connect(keywords, values)
    }
    guard let connection = unsafe connection else { throw PostgresFailure("out of memory") }
    guard unsafe cpostgres_status(connection) == Int32(CPOSTGRES_OK) else {
      let reason = unsafe String(cString: cpostgres_error_message(connection))
      unsafe cpostgres_finish(connection)
      // Lines that begin with a tab are hints for the user.
      let lines = reason.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }
      throw PostgresFailure(Self.oneLine(lines.joined(separator: "\n")))
    }
    return unsafe connection
  }

  /// The same address, which waits this long for each host. libpq waits for at least two seconds.
  func waiting(_ time: Duration) -> Self {
    var address = self
    address.timeLimit = max(Int(time.components.seconds), 2)
    return address
  }

  /// The time limits of libpq and of TCP: a host that is switched off or unreachable counts as lost after nine seconds.
  private static let timeLimits = [
    ("connect_timeout", "10"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
    ("keepalives_count", "2"), ("tcp_user_timeout", "9000"),
  ]

  /// Whether the server must present a certificate for its name. This is required of a server on another machine,
  /// unless the settings specify otherwise. libpq's own default, `prefer`, accepts any server.
  func needsVerification(environment: [String: String]) throws -> Bool {
    guard stated["sslmode"] == nil, environment["PGSSLMODE"] == nil else { return false }
    let settings = try present()
    guard settings["sslmode"] ?? "prefer" == "prefer" else { return false }
    let addresses = settings["hostaddr"].flatMap { $0.isEmpty ? nil : $0 }
    return !Self.isOnThisMachine(addresses ?? settings["host"] ?? "")
  }

  /// Several hosts are separated by commas. An empty host is a socket on this machine.
  static func isOnThisMachine(_ hosts: String) -> Bool {
    hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
        || host == "::1" || isLoopback(host)
    }
  }

  private static func isLoopback(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The effective settings, including those of a service, which are known only once a connection has begun.
  private func present() throws -> [String: String] {
    guard stated["service"] != nil else { return settings }
    let connection = unsafe Self.withStrings([("dbname", text)]) { keywords, values in
      unsafe cpostgres_start(keywords, values)
    }
    guard let connection = unsafe connection else { throw PostgresFailure("out of memory") }
    defer { unsafe cpostgres_finish(connection) }
    return unsafe cpostgres_options(connection).map { unsafe Self.values(of: $0) } ?? settings
  }

  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.joined(separator: " ")
    }.joined(separator: " ")
  }

  private static func values(
    of options: UnsafeMutablePointer<cpostgres_option>, onPassword: () -> Void = {}
  ) -> [String: String] {
    defer { unsafe cpostgres_free_options(options) }
    var values: [String: String] = [:]
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      // Only libpq needs passwords.
      let name = unsafe String(cString: keyword)
      if let value = unsafe option.pointee.value {
        if name.hasSuffix("password") {
          onPassword()
        } else {
          values[name] = unsafe String(cString: value)
        }
      }
      unsafe option += 1
    }
    return values
  }

  private static func withStrings<Value>(
    _ parameters: [(String, String)],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    let texts = unsafe parameters.map { unsafe (strdup($0.0), strdup($0.1)) }
    defer {
      for index in parameters.indices {
        unsafe free(texts[index].0)
        unsafe free(texts[index].1)
      }
    }
    let keywords = unsafe texts.map { unsafe UnsafePointer($0.0) } + [nil]
    let values = unsafe texts.map { unsafe UnsafePointer($0.1) } + [nil]
    return unsafe body(keywords, values)
  }
}
