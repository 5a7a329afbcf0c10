public import GitHubAPI
public import HTTPTargets

/// The issues related to an issue: its parent, its sub-issues, the issues that block it, and the issues that it blocks.
///
/// ```swift
/// let relations = try await IssueRelations.load(of: issue.entity, at: place, provider: provider)
/// print(relations.blockedBy.map(\.entity.title))
/// ```
public struct IssueRelations: Sendable {
  /// The parent; nil if the issue doesn't have a parent, or the token isn't allowed to see it.
  public var parent: Sent<GitHub.Issue>?
  /// The direct sub-issues, in their order.
  public var subIssues: [Sent<GitHub.Issue>] = []
  /// The issues that block it, both open and closed.
  public var blockedBy: [Sent<GitHub.Issue>] = []
  /// The issues that it blocks, both open and closed.
  public var blocking: [Sent<GitHub.Issue>] = []

  /// Creates relations.
  public init() {}

  /// Whether the issue itself indicates relations. This is false for a server without relations.
  public static func areWorthAsking(of issue: GitHub.Issue) -> Bool {
    !targets(of: issue, at: nil).isEmpty
  }

  /// Loads the relations that the issue indicates, concurrently.
  ///
  /// - Parameters:
  ///   - issue: The issue.
  ///   - place: The place of the issue.
  ///   - provider: The provider that sends the requests.
  /// - Returns: The relations.
  /// - Throws: The first error.
  public static func load(
    of issue: GitHub.Issue, at place: IssuePlace, provider: Provider<GitHub>
  ) async throws(NetworkError) -> IssueRelations {
    let targets = targets(of: issue, at: place)
    let answers = await sideBySide(targets) { target throws(NetworkError) in
      guard case .parent(let target) = target else {
        return try await SubIssueTree.list(target.target, provider)
      }
      do throws(NetworkError) {
        return [try await provider.entity(target)]
      } catch {
        guard [.notFound, .gone, .forbidden].contains(error.response?.status) else { throw error }
        return []
      }
    }
    var relations = IssueRelations()
    for (target, answer) in zip(targets, answers) {
      let issues = try answer.get()
      switch target {
      case .parent: relations.parent = issues.first
      case .subIssues: relations.subIssues = issues
      case .blockedBy: relations.blockedBy = issues
      case .blocking: relations.blocking = issues
      }
    }
    return relations
  }

  private enum Question: Sendable {
    case parent(GitHub)
    case subIssues(GitHub)
    case blockedBy(GitHub)
    case blocking(GitHub)

    var target: GitHub {
      switch self {
      case .parent(let target), .subIssues(let target), .blockedBy(let target),
        .blocking(let target):
        target
      }
    }
  }

  private static func targets(of issue: GitHub.Issue, at place: IssuePlace?) -> [Question] {
    let (name, number) = (place.map { "\($0.repository)" } ?? "", place?.number ?? issue.number)
    var questions: [Question] = []
    if let parent = issue.parent {
      questions.append(
        .parent(.issue(repositoryFullName: "\(parent.repository)", number: parent.number)))
    }
    if issue.subIssues?.total ?? 0 > 0 {
      questions.append(
        .subIssues(.subIssues(repositoryFullName: name, number: number, pageSize: 100)))
    }
    if issue.dependencies?.totalBlockedBy ?? 0 > 0 {
      questions.append(
        .blockedBy(.blockedBy(repositoryFullName: name, number: number, pageSize: 100)))
    }
    if issue.dependencies?.totalBlocking ?? 0 > 0 {
      questions.append(
        .blocking(.blocking(repositoryFullName: name, number: number, pageSize: 100)))
    }
    return questions
  }
}

extension IssueRelations {
  /// Loads the blockers of several issues concurrently, for servers whose lists don't count them.
  package static func blockers(
    of places: [IssuePlace], provider: Provider<GitHub>
  ) async -> [Result<[GitHub.Issue], NetworkError>] {
    await sideBySide(places) { place throws(NetworkError) in
      try await SubIssueTree.list(
        .blockedBy(
          repositoryFullName: "\(place.repository)", number: place.number, pageSize: 100), provider
      ).map(\.entity)
    }
  }
}
