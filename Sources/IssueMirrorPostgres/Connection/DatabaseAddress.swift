package import IssueMirror

/// A parsed connection string that hasn't been used to connect yet.
package struct DatabaseAddress: Sendable {
  /// A description without a password: `the database issues on db.example.com:5432`.
  package let place: String
  /// Whether the string contains a password.
  package let hasPassword: Bool

  /// Nil if libpq doesn't understand the text. Throws if libpq can't be loaded.
  package static func read(_ text: String) throws(MirrorFailure) -> DatabaseAddress? {
    do {
      try PostgresLibrary.load()
    } catch {
      throw MirrorFailure(any: error, in: "the database")
    }
    return (try? PostgresAddress(text)).map(DatabaseAddress.init)
  }

  private init(_ address: PostgresAddress) {
    (place, hasPassword) = (address.place, address.hasPassword)
  }
}
