internal import CPostgres
internal import ConcurrencyPrimitives

/// libpq, which is loaded on first use.
enum PostgresLibrary {
  private static let problem = Locked<String??>(nil)

  /// Throws if the library can't be loaded. The next call tries again, because it may have been installed.
  static func load() throws(PostgresFailure) {
    // This holds the lock, because only one thread may load the library.
    let problem = problem.withLock { problem -> String? in
      if case .some(.none) = problem { return nil }
      let found = unsafe cpostgres_load().map { unsafe String(cString: $0) }
      problem = .some(found)
      return found
    }
    guard let problem else { return }
    throw PostgresFailure(
      """
      PostgreSQL's client library can't be loaded, install libpq5 (Debian, Ubuntu), postgresql-libs or libpq: \
      \(problem)
      """)
  }
}
