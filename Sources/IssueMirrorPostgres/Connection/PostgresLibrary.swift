internal import CPostgres
internal import ConcurrencyPrimitives

/// libpq, loaded when it is first needed.
enum PostgresLibrary {
  private static let problem = Locked<String??>(nil)

  /// Throws if it can't be loaded. The next call tries again: it may be installed by then.
  static func load() throws(PostgresFailure) {
    // Under the lock, because only one thread may load it.
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
