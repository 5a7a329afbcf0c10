public import GitHubAPI
public import HTTPTargets

/// An issue with its sub-issues, theirs, and so on.
///
/// ```swift
/// let tree = try await SubIssueTree.load(issue, at: place, provider: provider)
/// for node in tree.nodes {
///   print(String(repeating: "  ", count: node.depth), node.issue.entity.title)
/// }
/// ```
public struct SubIssueTree: Sendable {
  /// Why the sub-issues of a node aren't in the tree.
  public enum Omission: Hashable, Sendable {
    /// It is as deep as the tree may be.
    case depth
    /// The tree has cost as many requests as it may.
    case requests
    /// The issue is in the tree already.
    case repeated
  }

  /// An issue in the tree.
  public struct Node: Sendable {
    /// The issue.
    public let issue: Sent<GitHub.Issue>
    /// Where it is.
    public let place: IssuePlace
    /// The place of its parent in ``SubIssueTree/nodes``; nil for the root.
    public internal(set) var parent: Int?
    /// The number of issues above it.
    public let depth: Int
    /// Whether it is the last sub-issue of its parent.
    public internal(set) var isLast = true
    /// Why its sub-issues aren't here; nil if they are, or there are none.
    public internal(set) var omission: Omission?
  }

  /// The number of levels of sub-issues that GitHub allows
  /// (<https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/adding-sub-issues>).
  public static let deepest = 8

  /// The issues, each before its sub-issues, which are in their own order.
  public private(set) var nodes: [Node]

  /// Loads the sub-issues of an issue, level by level, those of a level side by side.
  ///
  /// - Parameters:
  ///   - root: The issue.
  ///   - place: Where it is.
  ///   - provider: The provider to ask.
  ///   - maximumDepth: The most levels below the issue.
  ///   - maximumRequests: The most issues whose sub-issues are requested, against a server that never ends.
  ///   - onLevel: Called after each level with the number of issues so far.
  /// - Returns: The tree.
  /// - Throws: The first failure. The error of a server without sub-issues has status 404.
  public static func load(
    _ root: Sent<GitHub.Issue>, at place: IssuePlace, provider: Provider<GitHub>,
    maximumDepth: Int = deepest, maximumRequests: Int = 200, onLevel: (Int) -> Void = { _ in }
  ) async throws(NetworkError) -> SubIssueTree {
    var nodes = [Node(issue: root, place: place, parent: nil, depth: 0)]
    var children: [Int: [Int]] = [:]
    var known: Set<Int64> = [root.entity.id]
    var level = [0]
    var requests = 0
    while !level.isEmpty {
      var asked: [Int] = []
      // A server that sends no counts is asked.
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
      let places = asked.map { nodes[$0].place }
      let lists = await sideBySide(places) { place throws(NetworkError) in
        try await list(
          .subIssues(
            repositoryFullName: "\(place.repository)", number: place.number, pageSize: 100),
          provider)
      }
      level = []
      for (parent, list) in zip(asked, lists) {
        for issue in try list.get() {
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

  static func list(
    _ first: GitHub, _ provider: Provider<GitHub>
  ) async throws(NetworkError) -> [Sent<GitHub.Issue>] {
    var issues: [Sent<GitHub.Issue>] = []
    let pages = PagedListing<Sent<GitHub.Issue>>(provider: provider, first: first, maximumPages: 10)
    for try await page in pages { issues += page.items }
    return issues
  }

  /// Puts each issue before its sub-issues.
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
