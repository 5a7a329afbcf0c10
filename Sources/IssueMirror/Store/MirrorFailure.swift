internal import GitHubAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Why the mirror can't be read, written or brought up to date on this machine.
///
/// What goes wrong on the network is an ``HTTPTargets/NetworkError``.
public struct MirrorFailure: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  public struct Code: Hashable, Sendable {
    private let name: String
    private init(_ name: String) { self.name = name }

    /// The mirror can't be opened, or isn't this user's alone to write to.
    public static let cannotOpen = Code("cannotOpen")
    /// What should be a mirror is none, or is damaged.
    public static let damaged = Code("damaged")
    /// The mirror was written by a later version of this package.
    public static let laterVersion = Code("laterVersion")
    /// There is no room left.
    public static let full = Code("full")
    /// The mirror can't be written to.
    public static let readOnly = Code("readOnly")
    /// Another process has kept the mirror locked for too long.
    public static let busy = Code("busy")
    /// Nothing is kept of the repository.
    public static let notMirrored = Code("notMirrored")
    /// The task was cancelled; nothing of what it was about to write is kept.
    public static let cancelled = Code("cancelled")
    /// A file that issues are exported to can't be written.
    public static let notExported = Code("notExported")
    /// A query isn't one that reads, or isn't SQL.
    public static let queryRefused = Code("queryRefused")
    /// A query takes too long, or has too large an answer.
    public static let queryTooCostly = Code("queryTooCostly")
    /// The engine reports something else.
    public static let database = Code("database")
  }

  /// What went wrong.
  public var code: Code
  /// What happened, to what, and what to do, in one or two lines for a person.
  public var message: String

  /// Makes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Nothing is kept of a repository any more.
  static func removed(_ repository: MirroredRepository) -> Self {
    Self(.notMirrored, "\(repository.fullName) was removed from the mirror meanwhile.")
  }

  /// Lets `catch` match a code: `catch MirrorFailure.Code.full`.
  public static func ~= (code: Code, failure: MirrorFailure) -> Bool { failure.code == code }
}

extension GitHubJSON {
  /// Decodes what is kept as it is decoded when it comes from the server.
  static func decodeKept<Entity: Decodable>(
    _ type: Entity.Type, _ json: Data, _ name: String
  ) throws(MirrorFailure) -> Entity {
    do {
      return try decode(type, from: json)
    } catch {
      throw MirrorFailure(.damaged, "What the mirror has of \(name) can't be read: \(error)")
    }
  }
}
