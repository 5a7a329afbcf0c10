public import GitHubAPI

/// A project to which an issue is added, and its status there.
///
/// Adding an issue twice has the same effect as adding it once.
public struct ProjectPlacement: Hashable, Sendable, Codable {
  /// The project.
  public var project: ProjectReference
  /// The name of the status, as typed by the user; nil for the project's default.
  public var status: String?

  /// Creates a placement.
  public init(_ project: ProjectReference, status: String? = nil) {
    (self.project, self.status) = (project, status)
  }

  /// A short description: `+project swiftlang/5 (Todo)`.
  var words: String { "+project \(project)" + (status.map { " (\($0))" } ?? "") }
}
