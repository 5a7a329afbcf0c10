public import GRDB
public import IssueTracker

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The issues of repositories, kept on this machine in an SQLite database.
///
/// ```swift
/// let mirror = try Mirror(path: "\(folder)/mirror.db")
/// if let swift = try await mirror.repository(named: name, on: .github) {
///   for issue in try await mirror.issues(of: swift, limit: 30) { print(issue.number, issue.title) }
/// }
/// ```
///
/// Several processes may use one file at once: readers wait for nobody, and writers for each other's
/// transactions of a page each (<https://www.sqlite.org/wal.html>).
public final class Mirror: Sendable {
  /// The file.
  public let path: String
  package let database: DatabasePool

  /// Opens a mirror, or makes an empty one.
  ///
  /// - Parameter path: The file; its folder is made where it is missing, and the one that it is to be in.
  /// - Throws: ``MirrorFailure``.
  public init(path: String) throws {
    self.path = path
    database = try DatabasePool(path: path)
  }
}
