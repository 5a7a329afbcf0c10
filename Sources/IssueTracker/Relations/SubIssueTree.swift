public import GitHubAPI
public import HTTPTargets

/// An issue with its sub-issues, their sub-issues, and so on.
///
/// ```swift
/// let tree = try await SubIssueTree.load(issue, at: place, provider: provider)
/// for node in tree.nodes {
///   print(String(repeating: "  ", count: node.depth), node.issue.entity.title)
/// }
/// ```
public struct SubIssueTree: Sendable {
  /// The reason that the sub-issues of a node aren't in the tree.
  public enum Omission: Hashable, Sendable {
    /// The tree has reached its maximum depth.
    case depth
    /// The tree has reached its maximum number of requests.
    case requests
    /// The issue is already in the tree.
    case repeated
  }

  /// An issue in the tree.
  public struct Node: Sendable {
    /// The issue.
    public let issue: Sent<GitHub.Issue>
    /// The place of the issue.
    public let place: IssuePlace
    /// The index of its parent in ``SubIssueTree/nodes``; nil for the root.
    public internal(set) var parent: Int?
    /// The number of issues above it.
    public let depth: Int
    /// Whether it is the last sub-issue of its parent.
    public internal(set) var isLast = true
    /// The reason that its sub-issues are missing; nil if they are in the tree or don't exist.
    public internal(set) var omission: Omission?
  }

  /// The number of levels of sub-issues that GitHub allows
  /// (<https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/adding-sub-issues>).
  public static let deepest = 8

  /// The issues. Each issue comes before its sub-issues, which keep their order.
  public private(set) var nodes: [Node]

  /// Loads the sub-issues of an issue, level by level, and concurrently within a level.
  ///
  /// - Parameters:
  ///   - root: The issue.
  ///   - place: The place of the issue.
  ///   - provider: The provider that sends the requests.
  ///   - maximumDepth: The most levels below the issue.
  ///   - maximumRequests: The most issues whose sub-issues are requested. It protects against a server that never ends.
  ///   - onLevel: Called after each level with the number of issues so far.
  /// - Returns: The tree.
  /// - Throws: The first error. For a server without sub-issues, it has status 404.
  public static func load(
    _ root: Sent<GitHub.Issue>, at place: IssuePlace, provider: Provider<GitHub>,
    maximumDepth: Int = deepest, maximumRequests: Int = 200, onLevel: (Int) -> Void = { _ in }
  ) async throws(NetworkError) -> SubIssueTree {
    func lists(
      _ places: [IssuePlace]
    ) async throws(NetworkError) -> [[Sent<GitHub.Issue>]] {
      var lists: [[Sent<GitHub.Issue>]] = []
      let answers = await sideBySide(places) { place throws(NetworkError) in
        try await list(
          .subIssues(
            repositoryFullName: "\(place.repository)", number: place.number, pageSize: 100),
          provider)
      }
      for answer in answers { lists.append(try answer.get()) }
      return lists
    }
    return try await grow(
      from: root, at: place, maximumDepth: maximumDepth, maximumRequests: maximumRequests,
      lists: lists, onLevel: onLevel)
  }

  /// Finds the sub-issues of an issue among other issues, by their parents. Each list of sub-issues has the order of
  /// the other issues.
  package static func find(
    _ root: Sent<GitHub.Issue>, at place: IssuePlace, among others: [Sent<GitHub.Issue>],
    maximumDepth: Int = deepest
  ) async -> SubIssueTree {
    let children = Dictionary(grouping: others) { $0.entity.parent.map { Self.key($0) } ?? "" }
    return await grow(
      from: root, at: place, maximumDepth: maximumDepth, maximumRequests: .max,
      lists: { places in places.map { children[key($0)] ?? [] } }, onLevel: { _ in })
  }

  /// The key ignores case, as the names of repositories do.
  private static func key(_ place: IssuePlace) -> String { "\(place)".lowercased() }

  private static func grow<Failure: Error>(
    from root: Sent<GitHub.Issue>, at place: IssuePlace, maximumDepth: Int, maximumRequests: Int,
    lists: ([IssuePlace]) async throws(Failure) -> [[Sent<GitHub.Issue>]], onLevel: (Int) -> Void
  ) async throws(Failure) -> SubIssueTree {
    var nodes = [Node(issue: root, place: place, parent: nil, depth: 0)]
    var children: [Int: [Int]] = [:]
    var known: Set<Int64> = [root.entity.id]
    var level = [0]
    var requests = 0
    while !level.isEmpty {
      var asked: [Int] = []
      // If the server doesn't send counts, a request is necessary.
      for index in level where nodes[index].issue.entity.subIssues.map({ $0.total > 0 }) ?? true {
        if nodes[index].omission != nil { continue }
        if nodes[index].depth >= maximumDepth {
          nodes[index].omission = .depth
        } else if requests >= maximumRequests {
          nodes[index].omission = .requests
        } else {
          requests += 1
          asked.append(index)
        }
      }
      level = []
      for (parent, list) in zip(asked, try await lists(asked.map { nodes[$0].place })) {
        for issue in list {
          let above = nodes[parent]
          let place =
            issue.entity.url.flatMap { IssuePlace($0) }
            ?? IssuePlace(repository: above.place.repository, number: issue.entity.number)
          var node = Node(issue: issue, place: place, parent: parent, depth: above.depth + 1)
          if !known.insert(issue.entity.id).inserted { node.omission = .repeated }
          nodes.append(node)
          children[parent, default: []].append(nodes.count - 1)
          level.append(nodes.count - 1)
        }
      }
      onLevel(nodes.count)
    }
    return SubIssueTree(nodes, children)
  }

  /// The number of sub-issues that are counted by issues in the tree, but aren't in it although their list was
  /// requested.
  package var unfoundCount: Int {
    var missing = nodes.map { $0.omission == nil ? $0.issue.entity.subIssues?.total ?? 0 : 0 }
    for parent in nodes.compactMap(\.parent) { missing[parent] -= 1 }
    return missing.reduce(0) { $0 + max($1, 0) }
  }

  static func list(
    _ first: GitHub, _ provider: Provider<GitHub>
  ) async throws(NetworkError) -> [Sent<GitHub.Issue>] {
    var issues: [Sent<GitHub.Issue>] = []
    let pages = PagedListing<Sent<GitHub.Issue>>(provider: provider, first: first, maximumPages: 10)
    for try await page in pages { issues += page.items }
    return issues
  }

  /// Orders the nodes so that each issue comes before its sub-issues.
  private init(_ found: [Node], _ children: [Int: [Int]]) {
    nodes = []
    var pending = [(index: 0, parent: Int?.none, isLast: true)]
    while let next = pending.popLast() {
      var node = found[next.index]
      (node.parent, node.isLast) = (next.parent, next.isLast)
      nodes.append(node)
      let place = nodes.count - 1
      let below = children[next.index] ?? []
      for (offset, child) in below.enumerated().reversed() {
        pending.append((child, place, offset == below.count - 1))
      }
    }
  }
}
