internal import GitHubAPI
package import HTTPTargets
package import PlatformModules

/// A page of a change feed. Decodes only the fields by which a store filters and lists; each entry keeps the server's
/// bytes. Times are in seconds since 1970.
package struct FeedPage: Sendable {
  package struct Entry: Sendable {
    /// The upper limits of numbers and ids, because a store may pack them into one integer with other values.
    package static let largestNumber = 1 << 40 - 1
    package static let largestCommentID: Int64 = 1 << 44 - 1

    /// For a comment, the number of its issue.
    package var number: Int
    package var id: Int64
    package var createdAt: Int?
    package var updatedAt: Int
    package var author: Person?
    package var body: String?
    package var repositoryURL: String?
    /// Nil for a comment.
    package var item: Item?
    /// Whether the columns differ from the JSON: they have U+FFFD for U+0000, and a value for a missing time.
    package var isAbridged = false
    package var json: Data
    package var asked = Asked()
  }

  /// The time of a request, and whether its response may replace other versions.
  package struct Asked: Hashable, Sendable {
    /// The ticket taken before the request; nil counts as older than any ticket.
    package var ticket: StoreTicket?
    /// The response contains the present version of every entry that changed before this second of the server's clock,
    /// even if the store has a later version. Nil if the response may be outdated.
    package var isPresentBefore: Int?

    package init(ticket: StoreTicket? = nil, isPresentBefore: Int? = nil) {
      self.ticket = ticket
      self.isPresentBefore = isPresentBefore
    }
  }

  package struct Unreadable: Hashable, Sendable {
    /// For a comment, the number of its issue; 0 if the number is missing or invalid.
    package var number: Int
    /// The server's id, or else a value derived from the entry's text.
    package var id: Int64
    package var updatedAt: Int?
    package var reason: String
  }

  package struct Item: Sendable {
    package var title: String
    package var stateReason: String?
    package var htmlURL: String?
    /// `open`, `closed`, or another state that the server sends.
    package var state: String
    package var isPullRequest = false
    package var isDraft = false
    package var isLocked = false
    package var mergedAt: Int?
    package var closedAt: Int?
    package var commentsCount = 0
    package var labels: [Label] = []
    package var assignees: [Person] = []
    package var milestone: Milestone?
  }

  package struct Label: Hashable, Sendable {
    /// Nil if the server sent only a name.
    package var id: Int64?
    package var name: String
    package var color: String?
    package var description: String?

    package init(
      id: Int64? = nil, name: String, color: String? = nil, description: String? = nil
    ) {
      self.id = id
      self.name = name
      self.color = color
      self.description = description
    }
  }

  package struct Person: Sendable {
    package var login: String
    package var id: Int64?
    package var json: Data
  }

  package struct Milestone: Sendable {
    /// Nil on Forgejo, whose milestones aren't numbered.
    package var number: Int?
    package var title: String
    package var state: String?
    package var description: String?
    package var dueOn: Int?
    package var json: Data

    package init(
      number: Int? = nil, title: String, state: String? = nil, description: String? = nil,
      dueOn: Int? = nil, json: Data
    ) {
      self.number = number
      self.title = title
      self.state = state
      self.description = description
      self.dueOn = dueOn
      self.json = json
    }
  }

  package let feed: ChangeFeed
  package private(set) var entries: [Entry]
  package private(set) var unreadable: [Unreadable] = []

  package init(_ body: Data, of feed: ChangeFeed) throws(NetworkError) {
    self.feed = feed
    do {
      entries = try unsafe body.withUnsafeBytes { bytes in
        var decoder = unsafe FeedPageDecoder(body, bytes)
        return try decoder.entries(of: feed)
      }
    } catch {
      throw NetworkError(
        .decoding, "The response isn't a list of \(feed.rawValue): \(error)", underlying: error)
    }
  }

  package init(
    _ entries: [Entry], unreadable: [Unreadable] = [], of feed: ChangeFeed
  ) {
    self.feed = feed
    self.entries = entries
    self.unreadable = unreadable
  }

  /// Marks the entries as the present versions of everything that changed before a second of the server's clock.
  package mutating func notePresent(before second: Int) {
    for index in entries.indices { entries[index].asked.isPresentBefore = second }
  }

  package mutating func note(_ asked: Asked) {
    for index in entries.indices { entries[index].asked = asked }
  }

  /// The numbers of items or the ids of comments, including those of unreadable entries.
  package var seen: [Int64] {
    switch feed {
    case .items: entries.map { Int64($0.number) } + unreadable.map { Int64($0.number) }
    case .comments: entries.map(\.id) + unreadable.map(\.id)
    }
  }

  /// Sets the number of the unreadable entries without one, for a page whose entries all belong to one issue.
  package mutating func note(number: Int) {
    for index in unreadable.indices where unreadable[index].number == 0 {
      unreadable[index].number = number
    }
  }
}

extension FeedPage {
  /// Reads a page entry by entry if it can't be read as a whole, and sets unreadable entries aside. Throws if the body
  /// isn't a list, or contains no objects.
  package init(salvaging body: Data, of feed: ChangeFeed) throws(NetworkError) {
    let failure: NetworkError
    do throws(NetworkError) {
      try self.init(body, of: feed)
      return
    } catch {
      failure = error
    }
    var entries: [Entry] = []
    var unreadable: [Unreadable] = []
    guard let elements = Self.elements(of: body),
      elements.contains(where: { $0.first == UInt8(ascii: "{") })
    else { throw failure }
    for element in elements {
      do throws(NetworkError) {
        entries += try FeedPage(Data("[".utf8) + element + Data("]".utf8), of: feed).entries
      } catch {
        let header = try? GitHubJSON.decode(Header.self, from: element)
        let reason = error.underlying.map { "\($0)" } ?? error.message
        unreadable.append(
          Unreadable(
            number: header?.number ?? 0, id: header?.id ?? Self.id(of: element),
            updatedAt: header?.updatedAt, reason: reason))
      }
    }
    self.init(entries, unreadable: unreadable, of: feed)
  }

  /// A negative id, unlike those from servers. Equal entries have equal ids.
  private static func id(of element: Data) -> Int64 {
    let digits = Fingerprint([String(decoding: element, as: UTF8.self)]).text.prefix(15)
    return -1 - (Int64(digits, radix: 16) ?? 0)
  }

  /// The elements of a list, each as JSON; nil if the body isn't a list.
  static func elements(of body: Data) -> [Data]? {
    unsafe body.withUnsafeBytes { bytes in
      var reader = unsafe JSONReader(bytes)
      var elements: [Data] = []
      do throws(JSONReader.Problem) {
        try reader.beginArray()
        while try reader.nextElement() {
          guard elements.count < FeedPageDecoder.mostEntries else { return nil }
          let start = try reader.start()
          try reader.skip()
          elements.append(
            body[(body.startIndex + start)..<(body.startIndex + reader.position)])
        }
        try reader.end()
        return elements
      } catch {
        return nil
      }
    }
  }

  private struct Header: Decodable {
    let id: Int64?
    let number: Int?
    let updatedAt: Int?

    private enum CodingKeys: String, CodingKey {
      case id, number
      case updatedAt = "updated_at"
      case issueURL = "issue_url"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try? container.decode(Int64.self, forKey: .id)
      let issue = try? container.decode(String.self, forKey: .issueURL)
      let found =
        (try? container.decode(Int.self, forKey: .number))
        ?? issue?.split(separator: "/").last.flatMap { Int($0) }
      number = found.flatMap { (1...Entry.largestNumber).contains($0) ? $0 : nil }
      let time = try? container.decode(String.self, forKey: .updatedAt)
      updatedAt = time.flatMap(Timestamp.date(from:)).flatMap {
        $0.seconds < 0 ? nil : $0.seconds
      }
    }
  }
}

/// A repository's list in the order of changes, readable from any given time: `sort=updated&direction=asc&since=…`.
package enum ChangeFeed: String, Codable, CaseIterable, Hashable, Sendable {
  /// The issues and pull requests: `GET /repos/{owner}/{repo}/issues`.
  case items
  /// The comments: `GET /repos/{owner}/{repo}/issues/comments`.
  case comments
}
