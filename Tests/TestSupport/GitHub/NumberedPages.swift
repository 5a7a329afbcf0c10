/// A request for a page of a numbered list.
///
/// https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
struct NumberedPages: Sendable, Equatable {
  /// From 1 to 100.
  let perPage: Int
  /// From 1.
  let page: Int

  private let items: [LoopbackRequest.QueryItem]

  /// Reads a query. Missing or invalid values get GitHub's defaults.
  init(_ query: [LoopbackRequest.QueryItem]) {
    func value(_ name: String) -> Int? {
      query.first { $0.name == name }.flatMap { Int($0.value) }
    }
    items = query
    perPage = min(max(value("per_page") ?? 30, 1), 100)
    page = max(value("page") ?? 1, 1)
  }

  /// Makes a page of any length.
  init(perPage: Int, page: Int) {
    (self.perPage, self.page, items) = (perPage, page, [])
  }

  /// The positions on the page, in a list of `total` items.
  func window(of total: Int) -> Range<Int> {
    let begin = min((page - 1) * perPage, total)
    return begin..<min(begin + perPage, total)
  }

  /// The value of `Link`, with neighbouring pages and ends, as GitHub names them.
  ///
  /// - Parameters:
  ///   - total: The number of items.
  ///   - url: The list's address, without a query.
  /// - Returns: The value; nil if there is only one page.
  func link(of total: Int, at url: String) -> String? {
    let last = (total + perPage - 1) / perPage
    var links: [(relation: String, page: Int)] = []
    if page > 1 { links.append(("prev", min(page - 1, last))) }
    if page < last { links += [("next", page + 1), ("last", last)] }
    if page > 1 { links.append(("first", 1)) }
    let text = links.map { "<\(url)?\(rawQuery(page: $0.page))>; rel=\"\($0.relation)\"" }
    return text.isEmpty ? nil : text.joined(separator: ", ")
  }

  /// The query of another page, with the other parameters as they were sent.
  private func rawQuery(page: Int) -> String {
    (items.filter { $0.name != "page" } + [.init("page", "\(page)")]).map { item in
      "\(PercentCoding.encode(item.name))=\(PercentCoding.encode(item.value))"
    }.joined(separator: "&")
  }
}
