internal import IssueTracker
internal import PlatformModules

extension SyncRequests {
  enum PropertyAnswer<Entry: ListedProperty>: Sendable {
    case unchanged
    case listed(ListedPages<Entry>)
    /// The server doesn't have this list, or the list can't be read.
    case untold
  }

  private struct PropertyPage<Entry: ListedProperty> {
    var entries: [Entry]
    var entityTag: String?
    var isLast: Bool
  }

  private static let mostPages = 100

  /// With entity tags, reads the list only if a page has changed. This may miss an entry after the last page, but
  /// either no item has that entry yet, or its item includes it.
  func properties<Entry: ListedProperty>(
    _ type: Entry.Type, of name: String, ifNot entityTags: [String]
  ) async throws(NetworkError) -> PropertyAnswer<Entry> {
    do throws(NetworkError) {
      let first = try await page(type, 1, of: name, ifNot: entityTags.first)
      if let first { return try await list(from: first, of: name) }
      for (index, tag) in entityTags.enumerated().dropFirst() {
        guard try await page(type, index + 1, of: name, ifNot: tag) == nil else {
          guard let first = try await page(type, 1, of: name, ifNot: nil) else { return .untold }
          return try await list(from: first, of: name)
        }
      }
      return .unchanged
    } catch {
      guard error.code != .decoding, !error.isRefusal else { return .untold }
      throw error
    }
  }

  /// The labels of a repository's organization, which Forgejo and Gitea don't include in the repository's list; nil if
  /// the server doesn't tell them.
  func organizationLabels(of name: String) async throws(NetworkError) -> [ListedLabel]? {
    guard provider.forge != .gitHub else { return [] }
    do throws(NetworkError) {
      guard let first = try await page(OrganizationLabel.self, 1, of: name, ifNot: nil),
        case .listed(let pages) = try await list(from: first, of: name)
      else { return nil }
      return pages.entries.map(\.label)
    } catch {
      // The owner is a user.
      if error.response?.status == .notFound { return [] }
      guard error.code != .decoding, !error.isRefusal else { return nil }
      throw error
    }
  }

  /// Nil if the response doesn't say.
  func isGone(
    _ property: UnlistedProperty, of name: String
  ) async throws(NetworkError) -> Bool? {
    do throws(NetworkError) {
      switch property {
      case .label(let id, let label):
        // Another label may have the name now.
        // Forgejo and Gitea identify a label by its ID.
        let key = provider.forge == .gitHub ? label : "\(id)"
        let body = try await request(.label(repositoryFullName: name, name: key)).body
        return (try? GitHubJSON.decode(GitHub.Label.self, from: body))?.serverID.map { $0 != id }
      case .milestone(let number):
        _ = try await request(.milestone(repositoryFullName: name, number: number))
        return false
      }
    } catch {
      switch error.response?.status {
      case .notFound, .gone: return true
      default:
        guard error.isRefusal || error.code == .requestMapping else { throw error }
        return nil
      }
    }
  }

  private func list<Entry: ListedProperty>(
    from first: PropertyPage<Entry>, of name: String
  ) async throws(NetworkError) -> PropertyAnswer<Entry> {
    var pages = [first]
    // Forgejo and Gitea lower the page size without saying so, and their lists don't have links.
    let pageSize = provider.forge == .gitHub ? SweepAnswer.pageSize : first.entries.count
    var known = Set(first.entries.map(\.identifier))
    while let last = pages.last, !last.isLast {
      guard pages.count < Self.mostPages,
        let next = try await page(
          Entry.self, pages.count + 1, of: name, ifNot: nil, pageSize: pageSize)
      else { return .untold }
      let knownCount = known.count
      known.formUnion(next.entries.map(\.identifier))
      guard next.isLast || known.count > knownCount else { return .untold }
      pages.append(next)
    }
    let entityTags = pages.compactMap(\.entityTag)
    return .listed(
      ListedPages(
        pages.flatMap(\.entries), entityTags: entityTags.count == pages.count ? entityTags : []))
  }

  /// Requests a page by number, so that links don't have to be stored or trusted; nil if the page still has the entity
  /// tag.
  private func page<Entry: ListedProperty>(
    _ type: Entry.Type, _ number: Int, of name: String, ifNot entityTag: String?,
    pageSize: Int = SweepAnswer.pageSize
  ) async throws(NetworkError) -> PropertyPage<Entry>? {
    let target = Entry.list(of: name, page: number, pageSize: pageSize)
    let response: TargetResponse
    do throws(NetworkError) {
      response = try await request(target, ifNoneMatch: entityTag)
    } catch {
      switch error.response?.status {
      case .notModified where entityTag != nil: return nil
      case .notFound where entityTag != nil:
        return try await page(type, number, of: name, ifNot: nil, pageSize: pageSize)
      default: throw error
      }
    }
    do {
      let entries = try unsafe response.body.withUnsafeBytes { bytes in
        var decoder = unsafe FeedPageDecoder(response.body, bytes)
        return try decoder.properties(type)
      }
      return PropertyPage(
        entries: entries, entityTag: response.headers[.eTag],
        isLast: try provider.nextPage(after: response, count: entries.count) == nil)
    } catch {
      throw NetworkError(.decoding, "The response isn't a list: \(error)", underlying: error)
    }
  }
}

/// A label in the list of an organization.
private struct OrganizationLabel: ListedProperty {
  static let longest = ListedLabel.longest

  let label: ListedLabel

  init(_ decoder: inout FeedPageDecoder) throws(JSONReader.Problem) {
    label = try ListedLabel(&decoder)
  }

  var identifier: Int64? { label.identifier }

  static func list(of name: String, page: Int, pageSize: Int) -> GitHub {
    let owner = name.prefix { $0 != "/" }
    return .organizationLabels(organization: "\(owner)", page: page, pageSize: pageSize)
  }
}

extension NetworkError {
  /// Whether the server refuses permanently, unlike a rate limit.
  var isRefusal: Bool { response?.status.kind == .clientError && code != .rateLimited }
}
