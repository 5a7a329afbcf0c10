internal import GitHubAPI
package import HTTPTargets
package import PlatformModules

/// A page of a change feed. Decodes only what a store filters and lists by; each entry keeps the server's bytes.
/// Times are in seconds since 1970.
package struct FeedPage: Sendable {
  package struct Entry: Sendable {
    /// A store may pack numbers with other values.
    package static let largestNumber = 1 << 40 - 1
    package static let largestCommentID: Int64 = 1 << 44 - 1

    /// For a comment, that of its issue.
    package var number: Int
    package var id: Int64
    package var createdAt: Int?
    package var updatedAt: Int
    package var author: Person?
    package var body: String?
    package var repositoryURL: String?
    /// Nil for a comment.
    package var item: Item?
    /// Whether the columns lack something: U+0000 is U+FFFD in their texts, and a list needs a time.
    package var isAbridged = false
    package var json: Data
    package var asked = Asked()
  }

  /// The time of a request, and its authority over other versions.
  package struct Asked: Hashable, Sendable {
    /// Taken before the request; nil is older than any ticket.
    package var ticket: StoreTicket?
    /// The response contains the present version of everything that changed before this second, by the server's clock,
    /// even if the store has a later one; nil if it may be outdated.
    package var isPresentBefore: Int?

    package init(ticket: StoreTicket? = nil, isPresentBefore: Int? = nil) {
      self.ticket = ticket
      self.isPresentBefore = isPresentBefore
    }
  }

  package struct Unreadable: Hashable, Sendable {
    /// For a comment, that of its issue; 0 without a valid one.
    package var number: Int
    /// Derived from its text if it has none.
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
    /// Nil if the server gave only a name.
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
    /// Forgejo has none.
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
        .decoding, "The answer isn't a list of \(feed.rawValue): \(error)", underlying: error)
    }
  }

  package init(
    _ entries: [Entry], unreadable: [Unreadable] = [], of feed: ChangeFeed
  ) {
    self.feed = feed
    self.entries = entries
    self.unreadable = unreadable
  }

  /// By the server's clock.
  package mutating func notePresent(before second: Int) {
    for index in entries.indices { entries[index].asked.isPresentBefore = second }
  }

  package mutating func note(_ asked: Asked) {
    for index in entries.indices { entries[index].asked = asked }
  }

  /// The numbers of items and the ids of comments, also of those that can't be read.
  package var seen: [Int64] {
    switch feed {
    case .items: entries.map { Int64($0.number) } + unreadable.map { Int64($0.number) }
    case .comments: entries.map(\.id) + unreadable.map(\.id)
    }
  }

  /// Names the entries without a number, if all are of one issue.
  package mutating func note(number: Int) {
    for index in unreadable.indices where unreadable[index].number == 0 {
      unreadable[index].number = number
    }
  }
}

extension FeedPage {
  /// Reads a page entry by entry if it can't be read as a whole, and sets unreadable ones aside. Throws if it isn't a
  /// list, or contains no objects.
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

  /// Negative, unlike ids from servers. Equal texts have equal ids.
  private static func id(of element: Data) -> Int64 {
    let digits = Fingerprint([String(decoding: element, as: UTF8.self)]).text.prefix(15)
    return -1 - (Int64(digits, radix: 16) ?? 0)
  }

  /// The texts of a list's elements; nil if it isn't one.
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

/// A repository's list in the order of changes, readable from any time on: `sort=updated&direction=asc&since=…`.
package enum ChangeFeed: String, Codable, CaseIterable, Hashable, Sendable {
  /// Issues and pull requests: `GET /repos/{owner}/{repo}/issues`.
  case items
  /// `GET /repos/{owner}/{repo}/issues/comments`.
  case comments
}
