package import GitHubAPI
package import PlatformModules

/// An error of the local mirror. Network errors are ``/HTTPTargets/NetworkError``s.
public struct MirrorFailure: Error, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String
    private init(_ name: String) { self.name = name }

    /// The name of the code.
    public var description: String { name }

    /// The mirror can't be opened, or other users may write to it.
    public static let cannotOpen = Code("cannotOpen")
    /// The mirror is damaged, or isn't a mirror.
    public static let damaged = Code("damaged")
    /// The mirror was written by a later version of this package.
    public static let laterVersion = Code("laterVersion")
    /// The disk is full.
    public static let full = Code("full")
    /// The mirror can't be written to.
    public static let readOnly = Code("readOnly")
    /// Another process kept the mirror locked for too long.
    public static let busy = Code("busy")
    /// The repository isn't mirrored.
    public static let notMirrored = Code("notMirrored")
    /// The task was canceled, and nothing was written.
    public static let cancelled = Code("cancelled")
    /// The export file can't be written.
    public static let notExported = Code("notExported")
    /// The query isn't SQL, or isn't read-only.
    public static let queryRefused = Code("queryRefused")
    /// The query takes too long, or its result is too large.
    public static let queryTooCostly = Code("queryTooCostly")
    /// Another database error.
    public static let database = Code("database")
  }

  /// The kind of error.
  public var code: Code
  /// The problem and a remedy, in one or two lines.
  public var message: String
  /// Whether the mirror is on a database server, so that advice about files doesn't apply.
  package var isOfServer = false

  /// Creates a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  package static func removed(_ repository: MirroredRepository) -> Self {
    Self(.notMirrored, "\(repository.fullName) has since been removed from the mirror.")
  }

  /// Lets `catch` match a code: `catch MirrorFailure.Code.full`.
  public static func ~= (code: Code, failure: MirrorFailure) -> Bool { failure.code == code }
}

extension GitHubJSON {
  /// Throws if a stored object is damaged. Outputs that copy objects without decoding them use this, because one
  /// damaged object would make the whole output unreadable.
  package static func checkKept(
    _ json: Data, _ name: @autoclosure () -> String
  ) throws(MirrorFailure) -> Data {
    do {
      try unsafe json.withUnsafeBytes { bytes in
        var reader = unsafe JSONReader(bytes)
        try reader.beginObject()
        while try reader.nextName() != nil { try reader.skip() }
        try reader.end()
      }
    } catch {
      throw MirrorFailure(.damaged, "The mirror's copy of \(name()) can't be read: \(error)")
    }
    return json
  }

  package static func decodeKept<Entity: Decodable>(
    _ type: Entity.Type, _ json: Data, _ name: String
  ) throws(MirrorFailure) -> Entity {
    do {
      return try decode(type, from: json)
    } catch {
      throw MirrorFailure(.damaged, "The mirror's copy of \(name) can't be read: \(error)")
    }
  }
}
