internal import GitHubAPI
package import HTTPTargets

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A page of a change feed. Only the parts that a store filters and lists by are decoded; each entry keeps the bytes
/// that the server sent.
package struct FeedPage: Sendable {
  /// An issue, a pull request or a comment.
  package struct Entry: Sendable {
    /// The largest number that is accepted. A store may pack it with other values.
    package static let largestNumber = 1 << 40 - 1
    /// The largest id of a comment that is accepted, for the same reason.
    package static let largestCommentID: Int64 = 1 << 44 - 1

    /// The number in the repository; for a comment, that of its issue.
    package var number: Int
    /// The id on the server.
    package var id: Int64
    /// When it was created, in seconds since 1970.
    package var createdAt: Int?
    /// When it last changed, in seconds since 1970.
    package var updatedAt: Int
    package var author: Person?
    package var body: String?
    /// The address of its repository, if the server names it.
    package var repositoryURL: String?
    /// The other parts of an issue or a pull request; nil for a comment.
    package var item: Item?
    /// The entry as the server sent it.
    package var json: Data
    /// When it was requested.
    package var asked = Asked()
  }

  /// When something was requested, and what that means for other versions of it.
  package struct Asked: Hashable, Sendable {
    /// The ticket that was taken before the request; nil is older than any.
    package var ticket: StoreTicket?
    /// The answer is the present version of whatever changed before this second, by the server's clock, even if a
    /// later version is kept; nil if the answer may be outdated.
    package var isPresentBefore: Int?

    package init(ticket: StoreTicket? = nil, isPresentBefore: Int? = nil) {
      self.ticket = ticket
      self.isPresentBefore = isPresentBefore
    }
  }

  /// An entry that can't be read.
  package struct Unreadable: Hashable, Sendable {
    /// The number in the repository; for a comment, that of its issue.
    package var number: Int
    package var id: Int64
    /// When it last changed, in seconds since 1970.
    package var updatedAt: Int?
    package var reason: String
  }

  /// The parts of an issue or a pull request that a comment doesn't have.
  package struct Item: Sendable {
    package var title: String
    package var stateReason: String?
    /// The address of its page.
    package var htmlURL: String?
    /// Whether a list shows something that the columns lack.
    package var isAbridged = false
    /// `open`, `closed`, or whatever else the server says.
    package var state: String
    package var isPullRequest = false
    package var isDraft = false
    package var isLocked = false
    /// When it was merged, in seconds since 1970.
    package var mergedAt: Int?
    /// When it was closed, in seconds since 1970.
    package var closedAt: Int?
    /// The server's count of comments.
    package var commentsCount = 0
    /// In the server's order.
    package var labels: [Label] = []
    package var assignees: [Person] = []
    package var milestone: Milestone?
  }

  package struct Label: Hashable, Sendable {
    /// The id on the server; nil if the server only gave a name.
    package var id: Int64?
    package var name: String
    /// As the server spells it.
    package var color: String?
    package var description: String?
  }

  package struct Person: Sendable {
    package var login: String
    package var id: Int64?
    /// The person as the server sent them.
    package var json: Data
  }

  package struct Milestone: Sendable {
    /// The number in the repository. Forgejo has none.
    package var number: Int?
    package var title: String
    /// `open` or `closed`.
    package var state: String?
    package var description: String?
    /// In seconds since 1970.
    package var dueOn: Int?
    /// The milestone as the server sent it.
    package var json: Data
  }

  package let feed: ChangeFeed
  /// In the server's order.
  package private(set) var entries: [Entry]
  package private(set) var unreadable: [Unreadable] = []

  /// Reads a page of a feed.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` if it isn't one.
  package init(_ body: Data, of feed: ChangeFeed) throws(NetworkError) {
    self.feed = feed
    do {
      entries = try body.withUnsafeBytes { bytes in
        var decoder = FeedPageDecoder(body, bytes)
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

  /// Notes that the page has the present versions of whatever changed before a second, by the server's clock.
  package mutating func notePresent(before second: Int) {
    for index in entries.indices { entries[index].asked.isPresentBefore = second }
  }

  package mutating func note(_ asked: Asked) {
    for index in entries.indices { entries[index].asked = asked }
  }
}

extension FeedPage {
  /// Reads a page entry by entry if it can't be read as a whole, and sets unreadable ones aside.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` if it isn't a list, or if an entry doesn't even have a
  ///   number and an id.
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
    guard let elements = Self.elements(of: body) else { throw failure }
    for element in elements {
      do throws(NetworkError) {
        entries += try FeedPage(Data("[".utf8) + element + Data("]".utf8), of: feed).entries
      } catch {
        guard let header = try? GitHubJSON.decode(Header.self, from: element),
          let number = header.number, number > 0, let id = header.id
        else { throw failure }
        let reason = error.underlying.map { "\($0)" } ?? error.message
        unreadable.append(
          Unreadable(number: number, id: id, updatedAt: header.updatedAt, reason: reason))
      }
    }
    self.init(entries, unreadable: unreadable, of: feed)
  }

  /// The bytes of each element of an array; nil if it isn't one, or is too long.
  private static func elements(of body: Data) -> [Data]? {
    body.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
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

  /// What identifies an entry.
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
      number =
        (try? container.decode(Int.self, forKey: .number))
        ?? issue?.split(separator: "/").last.flatMap { Int($0) }
      let time = try? container.decode(String.self, forKey: .updatedAt)
      updatedAt = time.flatMap(Timestamp.date(from:)).map {
        Int($0.timeIntervalSince1970.rounded(.down))
      }
    }
  }
}

/// A list of a repository in the order of changes, which can be read from any time on:
/// `sort=updated&direction=asc&since=…`.
package enum ChangeFeed: String, Codable, CaseIterable, Hashable, Sendable {
  /// Issues and pull requests: `GET /repos/{owner}/{repo}/issues`.
  case items
  /// Their comments: `GET /repos/{owner}/{repo}/issues/comments`.
  case comments
}
