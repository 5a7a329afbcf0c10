/// A request for a page of a list of Forgejo or Gitea.
struct ForgejoPages {
  let limit: Int
  /// From 1.
  let page: Int
  private let items: [LoopbackRequest.QueryItem]

  /// Reads a query. A limit above the maximum is lowered without a word.
  init(_ query: [LoopbackRequest.QueryItem], maximum: Int, usual: Int) {
    func value(_ name: String) -> Int {
      query.first { $0.name == name }.flatMap { Int($0.value) } ?? 0
    }
    items = query
    let limit = value("limit")
    self.limit = min(limit > 0 ? limit : usual, maximum)
    page = max(value("page"), 1)
  }

  /// The positions on the page, in a list of `total` items.
  func window(of total: Int) -> Range<Int> {
    let begin = min((page - 1) * limit, total)
    return begin..<min(begin + limit, total)
  }

  /// The value of `Link`.
  ///
  /// - Parameters:
  ///   - total: The number of items.
  ///   - url: The list's address, without a query.
  /// - Returns: The value; nil if there is only one page.
  func link(of total: Int, at url: String) -> String? {
    let last = max((total + limit - 1) / limit, 1)
    let page = min(page, last)
    var links: [(relation: String, page: Int)] = []
    if page < last { links += [("next", page + 1), ("last", last)] }
    if page > 1 { links += [("first", 1), ("prev", page - 1)] }
    let text = links.map { "<\(url)?\(rawQuery(page: $0.page))>; rel=\"\($0.relation)\"" }
    return text.isEmpty ? nil : text.joined(separator: ",")
  }

  /// The query of another page, sorted by name, as Go encodes it.
  private func rawQuery(page: Int) -> String {
    let all = items.filter { $0.name != "page" } + [.init("page", "\(page)")]
    return all.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map { item in
        let (name, value) = (item.element.name, item.element.value)
        return "\(PercentCoding.encode(name))=\(PercentCoding.encode(value))"
      }.joined(separator: "&")
  }
}
