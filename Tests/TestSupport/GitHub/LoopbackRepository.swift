/// A repository of the loopback GitHub.
public struct LoopbackRepository: Sendable, Equatable {
  /// GitHub's id of the repository.
  public var id: Int
  /// The owner's login.
  public var owner: String
  /// The name, without the owner.
  public var name: String
  /// Its former names, as `OWNER/NAME`, which redirect.
  public var formerNames: [String]
  /// Whether only requests with a token see it.
  public var isPrivate: Bool
  /// Whether it has issues. Without them, its list gets a 410.
  public var hasIssues: Bool
  /// Whether it is archived: every write gets a 403.
  public var isArchived = false
  /// The texts of its files on the default branch, by path.
  public var files: [String: String] = [:]
  /// Its issues and pull requests.
  public var issues: SyntheticIssues

  /// Creates a repository.
  public init(
    id: Int, owner: String, name: String, formerNames: [String] = [], isPrivate: Bool = false,
    hasIssues: Bool = true, issues: SyntheticIssues = SyntheticIssues(count: 250)
  ) {
    self.id = id
    self.owner = owner
    self.name = name
    self.formerNames = formerNames
    self.isPrivate = isPrivate
    self.hasIssues = hasIssues
    self.issues = issues
  }

  /// `swiftlang/swift`, formerly `apple/swift`.
  public static func swift(issues: SyntheticIssues = SyntheticIssues(count: 250)) -> Self {
    LoopbackRepository(
      id: 44_838_949, owner: "swiftlang", name: "swift", formerNames: ["apple/swift"],
      issues: issues)
  }

  /// `OWNER/NAME`.
  public var fullName: String { "\(owner)/\(name)" }
}
