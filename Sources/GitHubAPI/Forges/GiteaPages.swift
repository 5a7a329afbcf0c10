package import HTTPTargets

/// The pages of lists on Forgejo and Gitea.
///
/// Only the number of the next page is taken from a link, because links begin with the server's configured URL, which
/// can be another host or http. Lists of labels, milestones and comments have no links. Their end follows from
/// `X-Total-Count`, and the page size from the first page, because the server lowers it without saying so.
enum GiteaPages {
  private static let mostPages = 1 << 24

  /// Returns the link to the page after a response with this number of entries, which is nil before they have arrived.
  /// The result is nil on the last page.
  static func next(
    after response: TargetResponse, count: Int?
  ) throws(NetworkError) -> PageLink? {
    var address = PageAddress(response.request.url)
    if let link = LinkHeader(response.headers[values: .link]).next {
      guard let page = PageAddress(link).number("page"), (2...mostPages).contains(page) else {
        throw NetworkError(.decoding, "the link to the next page has no page number")
      }
      address["page"] = "\(page)"
      return PageLink(url: address.url)
    }
    guard let count, count > 0 else { return nil }
    let page = address.number("page") ?? 1
    if address.path.hasSuffix("/timeline"), page < mostPages {
      // Its total is the number of entries on the page.
      address["page"] = "\(page + 1)"
      return PageLink(url: address.url)
    }
    guard let total = response.headers[.totalCount].flatMap({ Int($0) }) else { return nil }
    let size = page == 1 ? count : address.number("limit") ?? count
    // The server may have redirected the request.
    guard (1...mostPages).contains(page), (1...mostPages).contains(size) else { return nil }
    guard (page - 1) * size + count < total else { return nil }
    (address["page"], address["limit"]) = ("\(page + 1)", "\(size)")
    return PageLink(url: address.url)
  }
}

/// A URL with the items of its query.
struct PageAddress {
  let path: Substring
  private var items: [Substring]

  init(_ url: String) {
    let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1)
    path = parts.first ?? ""
    items = parts.count > 1 ? parts[1].split(separator: "&") : []
  }

  var url: String { items.isEmpty ? "\(path)" : "\(path)?\(items.joined(separator: "&"))" }

  /// The decoded value of an item.
  subscript(name: String) -> String? {
    get {
      items.first { $0.hasPrefix("\(name)=") }
        .map { PercentEncoding.decode($0.dropFirst(name.utf8.count + 1)) }
    }
    set {
      items.removeAll { $0.hasPrefix("\(name)=") }
      if let newValue { items.append("\(name)=\(PercentEncoding.encode(newValue))") }
    }
  }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }
}

extension HTTPField.Name {
  /// The length of a whole list on Forgejo and Gitea.
  package static let totalCount = HTTPField.Name("X-Total-Count").known
}

extension Provider where Target == GitHub {
  /// Returns the link to the page after a response; nil on the last page.
  ///
  /// - Parameters:
  ///   - response: The page.
  ///   - count: The number of its entries; nil if they haven't arrived yet. The end of some lists of Forgejo and Gitea
  ///     follows only from it.
  /// - Returns: The link.
  /// - Throws: ``/HTTPTargets/NetworkError/Code/decoding`` if the server's link can't be followed.
  package func nextPage(
    after response: TargetResponse, count: Int?
  ) throws(NetworkError) -> PageLink? {
    forge == .gitHub
      ? try PageLink.next(in: response.headers, of: response.request.url)
      : try GiteaPages.next(after: response, count: count)
  }
}
