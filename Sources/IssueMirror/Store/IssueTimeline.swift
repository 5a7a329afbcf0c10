package import GitHubAPI
package import HTTPTargets
package import PlatformModules

/// The complete events of an issue, in the server's order. Times are in seconds since 1970.
package struct IssueTimeline: Sendable {
  package struct Event: Sendable {
    /// The kind's name on GitHub. Unknown kinds are kept too.
    package var kind: String
    /// Nil for cross-references and commits.
    package var id: Int64?
    package var actor: String?
    package var isByBot: Bool
    /// The relation of a comment's author, such as `MEMBER`.
    package var association: String?
    package var createdAt: Int?
    /// The event's JSON. A comment's text is omitted, because comments have a feed of their own and are stored only
    /// once.
    package var json: Data
  }

  package let number: Int
  /// The ticket taken before the request.
  package let asked: StoreTicket
  /// The time of the latest change of the issue that the timeline is certain to include.
  package var covers = 0
  package private(set) var events: [Event] = []

  package init(of number: Int, asked: StoreTicket) {
    self.number = number
    self.asked = asked
  }

  /// Adds a page of the list. Omits entries without a kind and unreadable entries, because servers add and remove
  /// kinds. Returns the number of all entries.
  @discardableResult
  package mutating func add(_ page: Data) throws(NetworkError) -> Int {
    // An empty timeline of Forgejo and Gitea.
    if page.elementsEqual("null\n".utf8) || page.elementsEqual("null".utf8) { return 0 }
    guard let elements = FeedPage.elements(of: page) else {
      throw NetworkError(.decoding, "The response isn't a list of events.")
    }
    for json in elements {
      guard let event = try? GitHubJSON.decode(TimelineEvent.self, from: json) else { continue }
      let isComment = event.kind == .commented && event.serverID != nil
      let actor = event.actor
      events.append(
        Event(
          kind: event.kind.rawValue, id: event.serverID, actor: actor?.login,
          isByBot: actor.map { Self.isBot($0.login, type: $0.type) } ?? false,
          association: event.authorAssociation, createdAt: event.createdAt?.seconds,
          json: isComment ? EventText.without(json) : json))
    }
    return elements.count
  }

  /// Apps on GitHub have their own type, and a suffix that a person's login can't have.
  package static func isBot(_ login: String, type: String?) -> Bool {
    type == "Bot" || login.hasSuffix("[bot]")
  }
}

/// An issue whose timeline is unknown, or older than the issue.
package struct OutdatedTimeline: Hashable, Sendable {
  package let number: Int
  package let updatedAt: Int

  package init(number: Int, updatedAt: Int) {
    self.number = number
    self.updatedAt = updatedAt
  }
}

/// A timeline in a store.
package struct KeptTimeline: Sendable {
  package private(set) var events: [Sent<TimelineEvent>] = []
  /// Whether it has comments whose texts aren't stored.
  package private(set) var lacksTexts = false
  /// Whether it includes the latest change of the issue known to the store.
  package var isCurrent: Bool

  /// Reads the events of an issue, and inserts the text of each comment if it is stored.
  package init(
    of number: Int, isCurrent: Bool, _ rows: [(event: Data, hasText: Bool, comment: Data?)]
  ) throws {
    self.isCurrent = isCurrent
    for row in rows {
      if row.comment == nil, row.hasText { lacksTexts = true }
      let json = row.comment.map { EventText.taking($0, into: row.event) } ?? row.event
      events.append(
        try GitHubJSON.decodeKept(
          Sent<TimelineEvent>.self, json, "the timeline of issue \(number)"))
    }
  }
}

/// The state of a repository's timelines after a sync.
package enum TimelinesState: Sendable {
  /// Each issue's timeline was requested.
  case complete
  /// The server doesn't have timelines.
  case missing
}

/// The text of a comment within the JSON of its event.
package enum EventText {
  static func without(_ json: Data) -> Data { replacing(json, with: Data("null".utf8)) }

  /// Returns the event with the text of a comment.
  package static func taking(_ comment: Data, into event: Data) -> Data {
    guard let range = range(in: comment) else { return event }
    return replacing(event, with: comment[range])
  }

  private static func replacing(_ json: Data, with text: Data) -> Data {
    guard let range = range(in: json) else { return json }
    return json[..<range.lowerBound] + text + json[range.upperBound...]
  }

  /// The range of the value of the first `body` member, which is the one that decoding uses.
  private static func range(in json: Data) -> Range<Data.Index>? {
    unsafe json.withUnsafeBytes { bytes in
      var reader = unsafe JSONReader(bytes)
      do throws(JSONReader.Problem) {
        try reader.beginObject()
        while let name = try reader.nextName() {
          let start = try reader.start()
          try reader.skip()
          if case "body" = name {
            return json.startIndex + start..<json.startIndex + reader.position
          }
        }
      } catch {}
      return nil
    }
  }
}
