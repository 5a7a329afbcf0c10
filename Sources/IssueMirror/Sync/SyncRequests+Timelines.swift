internal import IssueTracker

extension SyncRequests {
  enum TimelineAnswer: Sendable {
    case told(IssueTimeline)
    /// The issue was moved or deleted, or the server doesn't have timelines.
    case missing
    /// The server fails to list the timeline, or the list never ends.
    case tooLong
  }

  private static let mostPages = 100
  private static let pageSizes = [100, 20]

  func timeline(
    of outdated: OutdatedTimeline, in repository: MirroredRepository, store: any IssueStore
  ) async throws -> TimelineAnswer {
    let ticket = try await store.ticket(of: repository)
    for pageSize in Self.pageSizes {
      do throws(NetworkError) {
        return try await timeline(of: outdated, in: repository, ticket, pageSize: pageSize)
      } catch {
        guard error.isOfHeavyPage else { throw error }
      }
    }
    return .tooLong
  }

  private func timeline(
    of outdated: OutdatedTimeline, in known: MirroredRepository, _ ticket: StoreTicket,
    pageSize: Int
  ) async throws(NetworkError) -> TimelineAnswer {
    var timeline = IssueTimeline(of: outdated.number, asked: ticket)
    var target = GitHub.timeline(
      repositoryFullName: known.fullName, number: outdated.number, pageSize: pageSize)
    for page in 0..<Self.mostPages {
      do throws(NetworkError) {
        let response = try await request(target)
        let isHere =
          response.redirects.isEmpty
          || response.request.url.contains(
            "/repositories/\(known.serverID)/issues/\(outdated.number)/")
        guard isHere else { return .missing }
        if page == 0 {
          // Servers may list a change a few seconds late. In that case, the next sync requests it again.
          let time = time(of: response, stamps: [outdated.updatedAt]) - Sweep.lateness
          timeline.covers = outdated.updatedAt - (time < outdated.updatedAt ? 1 : 0)
        }
        let count = try timeline.add(response.body)
        guard let next = try provider.nextPage(after: response, count: count) else {
          return .told(timeline)
        }
        target = .page(next)
      } catch {
        guard let status = error.response?.status, [.notFound, .gone].contains(status) else {
          throw error
        }
        return .missing
      }
    }
    return .tooLong
  }

  /// Whether the repository still has an issue.
  func isThere(
    _ number: Int, in repository: MirroredRepository
  ) async throws(NetworkError) -> Bool {
    do throws(NetworkError) {
      let response = try await request(
        .issue(repositoryFullName: repository.fullName, number: number))
      return response.redirects.isEmpty
        || response.request.url.hasSuffix("/repositories/\(repository.serverID)/issues/\(number)")
    } catch {
      guard let status = error.response?.status, [.notFound, .gone].contains(status) else {
        throw error
      }
      return false
    }
  }
}
