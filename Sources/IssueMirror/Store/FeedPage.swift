internal import GitHubAPI
package import HTTPTargets

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A page of a change feed. It is decoded as far as a store filters and lists by; each entry keeps the bytes that the
/// server sent.
package struct FeedPage: Sendable {
  /// An issue, a pull request or a comment.
  package struct Entry: Sendable {
    /// The largest number that is read. A store may pack it with other values.
    package static let largestNumber = 1 << 40 - 1
    /// The largest id of a comment that is read, in the same way.
    package static let largestCommentID: Int64 = 1 << 44 - 1

    /// Its number in the repository; of a comment, that of its issue.
    package var number: Int
    /// Its id on the server.
    package var id: Int64
    /// When it was made, in seconds since 1970.
    package var createdAt: Int?
    /// When it last changed, in seconds since 1970.
    package var updatedAt: Int
    /// Who wrote it; nil where the server names nobody.
    package var author: Person?
    /// Its text.
    package var body: String?
    /// The address of its repository, where the server names it.
    package var repositoryURL: String?
    /// What an issue or a pull request has beside that; nil for a comment.
    package var item: Item?
    /// The entry as the server sent it.
    package var json: Data
    /// When it was requested.
    package var asked = Asked()
  }

  /// When something was requested, and what that says about other versions of it.
  package struct Asked: Hashable, Sendable {
    /// The ticket that was taken before the request; nil counts as older than any.
    package var ticket: StoreTicket?
    /// The answer is the present version of whatever changed before this second, by the server's clock, even where a
    /// later version is kept; nil where the answer may be older.
    package var isPresentBefore: Int?

    /// Describes a request.
    package init(ticket: StoreTicket? = nil, isPresentBefore: Int? = nil) {
      self.ticket = ticket
      self.isPresentBefore = isPresentBefore
    }
  }

  /// An entry that can't be read.
  package struct Unreadable: Hashable, Sendable {
    /// Its number in the repository; of a comment, that of its issue.
    package var number: Int
    /// Its id on the server.
    package var id: Int64
    /// When it last changed, in seconds since 1970.
    package var updatedAt: Int?
    /// Why.
    package var reason: String
  }

  /// What an issue or a pull request has beside what a comment has.
  package struct Item: Sendable {
    /// The title.
    package var title: String
    /// Why it has its state.
    package var stateReason: String?
    /// Its page.
    package var htmlURL: String?
    /// Whether a list shows what the columns don't have.
    package var isAbridged = false
    /// `open` or `closed`, or what else the server says.
    package var state: String
    /// Whether it is a pull request.
    package var isPullRequest = false
    /// Whether it is a draft of a pull request.
    package var isDraft = false
    /// Whether nobody else may comment on it any more.
    package var isLocked = false
    /// When it was merged, in seconds since 1970.
    package var mergedAt: Int?
    /// When it was closed, in seconds since 1970.
    package var closedAt: Int?
    /// How many comments the server counts.
    package var commentsCount = 0
    /// The labels, in the server's order.
    package var labels: [Label] = []
    /// Who works on it.
    package var assignees: [Person] = []
    /// The milestone it is planned for.
    package var milestone: Milestone?
  }

  /// A label.
  package struct Label: Hashable, Sendable {
    /// Its id on the server, nil where the server gave its bare name.
    package var id: Int64?
    /// The name.
    package var name: String
    /// The colour, as the server spells it.
    package var color: String?
    /// What it is for.
    package var description: String?
  }

  /// An author or an assignee.
  package struct Person: Sendable {
    /// The login.
    package var login: String
    /// The id on the server.
    package var id: Int64?
    /// The person as the server sent them.
    package var json: Data
  }

  /// A milestone.
  package struct Milestone: Sendable {
    /// The number in the repository; Forgejo has none.
    package var number: Int?
    /// The title.
    package var title: String
    /// `open` or `closed`.
    package var state: String?
    /// What it is about.
    package var description: String?
    /// When it is due, in seconds since 1970.
    package var dueOn: Int?
    /// The milestone as the server sent it.
    package var json: Data
  }

  /// Which feed it is of.
  package let feed: ChangeFeed
  /// What is on it, in the server's order.
  package private(set) var entries: [Entry]
  /// What can't be read of it.
  package private(set) var unreadable: [Unreadable] = []

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - body: The bytes of the answer.
  ///   - feed: Which feed it is of.
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` when it isn't a page of that.
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

  /// A page of chosen entries.
  package init(
    _ entries: [Entry], unreadable: [Unreadable] = [], of feed: ChangeFeed
  ) {
    self.feed = feed
    self.entries = entries
    self.unreadable = unreadable
  }

  /// Notes that what changed before a second, by the server's clock, is as it is on the page.
  package mutating func notePresent(before second: Int) {
    for index in entries.indices { entries[index].asked.isPresentBefore = second }
  }

  /// Notes when the page was requested.
  package mutating func note(_ asked: Asked) {
    for index in entries.indices { entries[index].asked = asked }
  }
}

extension FeedPage {
  /// Reads a page entry by entry where it can't be read as a whole: what can't be read is set aside, so that it isn't
  /// in the way of the others.
  ///
  /// - Parameters:
  ///   - body: The bytes of the answer.
  ///   - feed: Which feed it is of.
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` when it isn't a list, or when an entry doesn't even have a
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

  /// The bytes of each element of an array; nil where there is none, or where it has too many.
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

  /// What an entry is told from others by.
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

/// A list of a repository in the order of its changes, which can be read from any time on:
/// `sort=updated&direction=asc&since=…`.
package enum ChangeFeed: String, Codable, CaseIterable, Hashable, Sendable {
  /// Issues and pull requests: `GET /repos/{owner}/{repo}/issues`.
  case items
  /// The comments on them: `GET /repos/{owner}/{repo}/issues/comments`.
  case comments
}
