internal import GitHubAPI
internal import HTTPTargets
internal import PlatformModules

/// Reads a list response in agreement with `GitHub.Issue` and `IssueComment`: labels may be bare names, an author null,
/// an assignee single, and a pull request's link full of nulls. It rejects JSON that these types wouldn't decode, even
/// in members that aren't stored in a column, because one unreadable entry would make a list of stored entries
/// unreadable.
struct FeedPageDecoder {
  typealias Problem = JSONReader.Problem
  private typealias Entry = FeedPage.Entry

  private let body: Data
  private var reader: JSONReader
  /// Whether a string of the entry contains U+0000, which would end the text in a column.
  private var hasNUL = false
  /// The limit, because many small entries take fifty times as much memory as their JSON.
  static let mostEntries = 10_000
  /// The limit of parts per entry. GitHub allows a hundred labels and ten assignees.
  private static let mostParts = 1_000

  /// The bytes must outlive the decoder.
  init(_ body: Data, _ bytes: UnsafeRawBufferPointer) {
    self.body = body
    reader = unsafe JSONReader(bytes)
  }

  mutating func entries(of feed: ChangeFeed) throws(Problem) -> [FeedPage.Entry] {
    var entries: [Entry] = []
    try reader.beginArray()
    while try reader.nextElement() {
      guard entries.count < Self.mostEntries else {
        throw reader.problem("more than \(Self.mostEntries) entries instead of 100")
      }
      entries.append(try entry(of: feed))
    }
    try reader.end()
    return entries
  }

  mutating func onlyEntry(of feed: ChangeFeed) throws(Problem) -> FeedPage.Entry {
    let entry = try entry(of: feed)
    try reader.end()
    return entry
  }

  private mutating func entry(of feed: ChangeFeed) throws(Problem) -> Entry {
    hasNUL = false
    var entry =
      switch feed {
      case .items: try item()
      case .comments: try comment()
      }
    entry.isAbridged = entry.isAbridged || hasNUL
    let maximum = GitHubJSON.maximumCount
    if entry.json.count > maximum {
      do throws(JSONProblem) {
        _ = try JSONProblem.count(in: entry.json, upTo: maximum, of: maximum)
      } catch {
        throw reader.problem("an entry \(error)")
      }
    }
    return entry
  }

  private mutating func item() throws(Problem) -> Entry {
    let start = try reader.start()
    var (id, number, title, state): (Int64?, Int64?, String?, String?)
    var (createdAt, updatedAt): (Int?, Int?)
    var (author, assignee): (FeedPage.Person?, FeedPage.Person?)
    var assignees: [FeedPage.Person]?
    var (body, hasBody): (String?, Bool) = (nil, false)
    var repositoryURL: String?
    var item = FeedPage.Item(title: "", state: "")
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "id": id = try reader.integer()
      case "number": number = try reader.integer()
      case "title": title = try string()
      case "state": state = try string()
      case "body": body = try onlyBody(&hasBody)
      case "user": author = try personIfAny()
      case "labels": item.labels = try labels()
      case "assignees": assignees = try people()
      case "assignee": assignee = try personIfAny()
      case "milestone": item.milestone = try milestoneIfAny()
      case "comments": item.commentsCount = try count(reader.integerIfAny() ?? 0, from: 0)
      case "created_at": createdAt = try timeIfAny()
      case "updated_at": updatedAt = try changeIfAny()
      case "closed_at": item.closedAt = try timeIfAny()
      case "pull_request": (item.isPullRequest, item.mergedAt) = try pullRequest()
      case "locked", "is_locked": item.isLocked = try reader.booleanIfAny() ?? false
      case "draft":
        // `GitHub.Issue` doesn't decode this member, so an unexpected value isn't an error.
        if try reader.peek() == UInt8(ascii: "t") { item.isDraft = true }
        try reader.skip()
      case "reactions": try skipReactions()
      case "repository_url": repositoryURL = try stringIfAny()
      case "repository": repositoryURL = try repositoryName() ?? repositoryURL
      case "state_reason": item.stateReason = try stringIfAny()
      case "html_url": item.htmlURL = try stringIfAny()
      case "url", "author_association": try reader.skipStringIfAny()
      default: try reader.skip()
      }
    }
    item.title = try required(title, "title")
    item.state = try required(state, "state")
    // Servers older than 2016 send a single assignee.
    item.assignees = assignees ?? assignee.map { [$0] } ?? []
    return Entry(
      number: try count(required(number, "number"), from: 1), id: try required(id, "id"),
      createdAt: createdAt, updatedAt: updatedAt ?? createdAt ?? 0, author: author, body: body,
      repositoryURL: repositoryURL, item: item, isAbridged: updatedAt == nil,
      json: json(from: start))
  }

  private mutating func string() throws(Problem) -> String {
    let text = try reader.string()
    guard text.utf8.contains(0) else { return text }
    hasNUL = true
    return text.replacing("\0", with: "\u{FFFD}")
  }

  private mutating func stringIfAny() throws(Problem) -> String? {
    try reader.skipNull() ? nil : try string()
  }

  /// Old GitHub responses have this key in every issue, with null values. Forgejo sends only the URL of the page.
  private mutating func pullRequest() throws(Problem) -> (isOne: Bool, mergedAt: Int?) {
    guard !(try reader.skipNull()) else { return (false, nil) }
    var (isOne, mergedAt): (Bool, Int?) = (false, nil)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "url", "html_url": if try stringIfAny() != nil { isOne = true }
      case "merged_at": mergedAt = try timeIfAny()
      default: try reader.skip()
      }
    }
    return (isOne, mergedAt)
  }

  private mutating func labels() throws(Problem) -> [FeedPage.Label] {
    guard !(try reader.skipNull()) else { return [] }
    var labels: [FeedPage.Label] = []
    try reader.beginArray()
    while try reader.nextElement() {
      try checkRoom(labels.count, "labels")
      labels.append(try label())
    }
    return labels
  }

  private mutating func label() throws(Problem) -> FeedPage.Label {
    // According to the API's documentation, a label may be a bare name.
    if try reader.peek() == UInt8(ascii: "\"") {
      return FeedPage.Label(name: try string())
    }
    var label = FeedPage.Label(name: "")
    var labelName: String?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "id": label.id = try reader.integerIfAny()
      case "name": labelName = try string()
      case "color": label.color = try stringIfAny()
      case "description": label.description = try stringIfAny()
      default: try reader.skip()
      }
    }
    label.name = try required(labelName, "name")
    return label
  }

  /// The name of the repository in an issue of Forgejo or Gitea.
  private mutating func repositoryName() throws(Problem) -> String? {
    guard try reader.peek() == UInt8(ascii: "{") else {
      try reader.skip()
      return nil
    }
    var fullName: String?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "full_name": fullName = try stringIfAny()
      default: try reader.skip()
      }
    }
    return fullName
  }

  private mutating func milestoneIfAny() throws(Problem) -> FeedPage.Milestone? {
    guard !(try reader.skipNull()) else { return nil }
    let start = try reader.start()
    var (id, number, title, state): (Int64?, Int64?, String?, String?)
    var (description, dueOn): (String?, Int?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "number": number = try reader.integerIfAny()
      case "title": title = try string()
      case "state": state = try stringIfAny()
      case "id": id = try reader.integerIfAny()
      case "open_issues", "closed_issues": _ = try reader.integerIfAny()
      case "description": description = try stringIfAny()
      case "due_on": dueOn = try timeIfAny()
      case "html_url": try reader.skipStringIfAny()
      case "created_at", "updated_at", "closed_at": _ = try timeIfAny()
      default: try reader.skip()
      }
    }
    // Forgejo and Gitea don't number milestones.
    return FeedPage.Milestone(
      number: (number ?? id).map(Int.init), title: try required(title, "title"), state: state,
      description: description, dueOn: dueOn, json: json(from: start))
  }

  mutating func properties<Property: ListedProperty>(
    _ type: Property.Type
  ) throws(Problem) -> [Property] {
    var properties: [Property] = []
    try reader.beginArray()
    while try reader.nextElement() {
      guard properties.count < Self.mostEntries else {
        throw reader.problem("more than \(Self.mostEntries) entries instead of 100")
      }
      let start = try reader.start()
      properties.append(try Property(&self))
      guard reader.position - start <= Property.longest else {
        throw reader.problem("an entry of more than \(Property.longest) bytes")
      }
    }
    try reader.end()
    return properties
  }

  mutating func listedLabel() throws(Problem) -> ListedLabel {
    let start = try reader.start()
    let label = try label()
    return ListedLabel(label: label, json: json(from: start))
  }

  mutating func listedMilestone() throws(Problem) -> FeedPage.Milestone {
    try required(milestoneIfAny(), "title")
  }

  mutating func propertyPlaces() throws(Problem) -> [ItemProperties.Place] {
    var places: [ItemProperties.Place] = []
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "labels":
        let start = try reader.start()
        guard try reader.peek() == UInt8(ascii: "[") else {
          try reader.skip()
          continue
        }
        var labels: [ListedLabel] = []
        try reader.beginArray()
        while try reader.nextElement() { labels.append(try listedLabel()) }
        places.append(.labels(start..<reader.position, labels))
      case "milestone":
        let start = try reader.start()
        let milestone = try milestoneIfAny()
        places.append(.milestone(start..<reader.position, milestone))
      default: try reader.skip()
      }
    }
    try reader.end()
    return places
  }

  private mutating func comment() throws(Problem) -> Entry {
    let start = try reader.start()
    var id: Int64?
    var (createdAt, updatedAt): (Int?, Int?)
    var author: FeedPage.Person?
    var (body, hasBody): (String?, Bool) = (nil, false)
    var (issue, page): (String?, String?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "id": id = try reader.integer()
      case "body": body = try onlyBody(&hasBody)
      case "user": author = try personIfAny()
      case "created_at": createdAt = try timeIfAny()
      case "updated_at": updatedAt = try changeIfAny()
      case "issue_url": issue = try stringIfAny()
      case "html_url": page = try stringIfAny()
      case "author_association": try reader.skipStringIfAny()
      case "reactions": try skipReactions()
      default: try reader.skip()
      }
    }
    let number = issue.flatMap(Self.number) ?? page.flatMap(Self.number)
    return Entry(
      number: try count(required(number, "issue_url"), from: 1),
      id: try commentID(required(id, "id")),
      createdAt: createdAt, updatedAt: updatedAt ?? createdAt ?? 0, author: author, body: body,
      repositoryURL: issue.flatMap(Self.repositoryURL(ofIssueAt:)), json: json(from: start))
  }

  /// The repository's part of an issue's address: `…/repos/OWNER/REPO/issues/12`.
  private static func repositoryURL(ofIssueAt address: String) -> String? {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[parts.count - 2] == "issues" else { return nil }
    return parts.dropLast(2).joined(separator: "/")
  }

  private static func number(in address: String) -> Int64? {
    let path = address.prefix { $0 != "#" && $0 != "?" }
    return path.split(separator: "/").last.flatMap { Int64($0) }
  }

  /// Rejects a second body: SQLite and Foundation read the first one, and SQLite needs the same one to remove the text
  /// from the index.
  private mutating func onlyBody(_ isThere: inout Bool) throws(Problem) -> String? {
    guard !isThere else { throw reader.problem("a second “body”") }
    isThere = true
    return try stringIfAny()
  }

  private func count(_ number: Int64, from first: Int64) throws(Problem) -> Int {
    guard (first...Int64(FeedPage.Entry.largestNumber)).contains(number) else {
      throw reader.problem("the impossible number \(number)")
    }
    return Int(number)
  }

  private func commentID(_ id: Int64) throws(Problem) -> Int64 {
    // In the mentions, 0 represents the issue itself.
    guard (1...FeedPage.Entry.largestCommentID).contains(id) else {
      throw reader.problem("the impossible comment id \(id)")
    }
    return id
  }

  /// Like `Reactions`, skips the other counts if the total is zero.
  private mutating func skipReactions() throws(Problem) {
    guard !(try reader.skipNull()) else { return }
    var total: Int64?
    var problem: Problem?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "total_count": total = try reader.integerIfAny()
      case "+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes":
        let start = reader.position
        do throws(Problem) {
          _ = try reader.integerIfAny()
        } catch {
          problem = error
          reader.position = start
          try reader.skip()
        }
      default: try reader.skip()
      }
    }
    if let problem, total != 0 { throw problem }
  }

  private mutating func people() throws(Problem) -> [FeedPage.Person]? {
    guard !(try reader.skipNull()) else { return nil }
    var people: [FeedPage.Person] = []
    try reader.beginArray()
    while try reader.nextElement() {
      try checkRoom(people.count, "assignees")
      people.append(try person())
    }
    return people
  }

  private func checkRoom(_ count: Int, _ what: String) throws(Problem) {
    guard count < Self.mostParts else {
      throw reader.problem("more than \(Self.mostParts) \(what) on one issue")
    }
  }

  private mutating func personIfAny() throws(Problem) -> FeedPage.Person? {
    try reader.skipNull() ? nil : try person()
  }

  private mutating func person() throws(Problem) -> FeedPage.Person {
    let start = try reader.start()
    var (login, id): (String?, Int64?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "login": login = try string()
      case "id": id = try reader.integerIfAny()
      case "type", "html_url", "name", "company", "blog", "location", "email", "bio":
        try reader.skipStringIfAny()
      case "public_repos", "followers", "following": _ = try reader.integerIfAny()
      case "created_at", "updated_at": _ = try timeIfAny()
      default: try reader.skip()
      }
    }
    return FeedPage.Person(
      login: try required(login, "login"), id: id, json: json(from: start))
  }

  private mutating func timeIfAny() throws(Problem) -> Int? {
    guard !(try reader.skipNull()) else { return nil }
    let text = try reader.text()
    let seconds =
      unsafe text.isEscaped
      ? Timestamp.date(from: text.string)?.timeIntervalSince1970
      : Timestamp.secondsSince1970(text.bytes)
    guard let seconds else { throw reader.problem("an invalid time") }
    return Int(seconds.rounded(.down))
  }

  /// Rejects times before 1970: a feed begins in 1970, and an earlier time would block the entries after it.
  private mutating func changeIfAny() throws(Problem) -> Int? {
    let seconds = try timeIfAny()
    guard seconds ?? 0 >= 0 else { throw reader.problem("the impossible time of a change") }
    return seconds
  }

  private func required<Value>(_ value: Value?, _ name: String) throws(Problem) -> Value {
    guard let value else { throw reader.problem("an entry without “\(name)”") }
    return value
  }

  private func json(from start: Int) -> Data {
    body[(body.startIndex + start)..<(body.startIndex + reader.position)]
  }
}

extension FeedPage.Entry {
  init(item json: Data) throws {
    self = try unsafe json.withUnsafeBytes { bytes in
      var decoder = unsafe FeedPageDecoder(json, bytes)
      return try decoder.onlyEntry(of: .items)
    }
  }
}
