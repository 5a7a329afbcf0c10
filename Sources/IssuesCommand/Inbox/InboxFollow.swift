internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Goes on where the list of notifications has ended: writes a row for each that is new or has a new event.
struct InboxFollow: Sendable {
  /// GitHub's own interval, where an answer names no other.
  static let usual = Duration.seconds(60)

  let first: GitHub
  let connection: Connection
  let follow: ListFollow
  /// For the line of progress.
  let subject: String
  let isWanted: @Sendable (InboxRow) -> Bool
  /// When each notification that was listed last changed, by its id.
  var known: [String: Date?]

  /// Ends only by a failure that every later question would have too, or when nobody reads any more.
  mutating func run(_ writer: inout ListWriter<InboxRow>) async throws {
    let elapsed = follow.clock.stopwatch()
    let notice = follow.notice(of: connection.server)
    // Behind the list's time, because lists may show an event late. What was older, and behind its limit, is no news.
    let beginning = (notice.beginning ?? Date()).addingTimeInterval(-FollowStateMachine.overlap)
    var told: String?
    // An interval of one's own, and never less than the server wants.
    var due = elapsed() + max(follow.shortest, notice.pause ?? Self.usual)
    while true {
      try await follow.pause(until: due, subject, elapsed)
      var (rows, wait): ([InboxRow], Duration) = ([], .zero)
      do throws(CommandFailure) {
        rows = try await news(since: beginning)
        told = nil
      } catch {
        guard let pause = follow.wait(after: error) else { throw error }
        if told != error.message { follow.tell(error, of: subject, isLast: false) }
        told = error.message
        wait = pause
      }
      writer.now = Date()
      try await writer.write(rows, heading: "News in \(subject)")
      due = elapsed() + max(follow.shortest, notice.pause ?? Self.usual, wait)
    }
  }

  /// Those with events that weren't told, the oldest first. The last changed are on the first page, so pages are read
  /// until one has nothing new.
  private mutating func news(since beginning: Date) async throws(CommandFailure) -> [InboxRow] {
    var news: [InboxRow] = []
    var pages = PagedListing<Sent<GitHub.Notification>>(
      provider: connection.provider, first: first
    ).makeAsyncIterator()
    do throws(NetworkError) {
      while let page = try await pages.next(pagesAhead: 0, isolation: nil) {
        let rows = page.items.map { InboxRow(sent: $0) }.filter { row in
          known[row.sent.entity.id] != .some(row.sent.entity.updatedAt)
        }
        for row in rows { known[row.sent.entity.id] = row.sent.entity.updatedAt }
        news += rows
        if rows.isEmpty { break }
      }
    } catch {
      throw InboxPlace.explained(connection.explanation(of: error, subject))
    }
    return news.filter { row in
      isWanted(row) && row.sent.entity.updatedAt.map { $0 >= beginning } ?? true
    }.reversed()
  }
}
