/// A page of a list that has page numbers, as a request asks for it.
///
/// https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
struct NumberedPages: Sendable, Equatable {
  /// From 1 to 100.
  let perPage: Int
  /// From 1.
  let page: Int

  private let items: [LoopbackRequest.QueryItem]

  /// Reads a query; what is missing or none has GitHub's defaults.
  init(_ query: [LoopbackRequest.QueryItem]) {
    func value(_ name: String) -> Int? {
      query.first { $0.name == name }.flatMap { Int($0.value) }
    }
    items = query
    perPage = min(max(value("per_page") ?? 30, 1), 100)
    page = max(value("page") ?? 1, 1)
  }

  /// The positions that are on the page, of so many items.
  func window(of total: Int) -> Range<Int> {
    let begin = min((page - 1) * perPage, total)
    return begin..<min(begin + perPage, total)
  }

  /// The value of `Link`: the neighbouring pages and the ends, as GitHub names them.
  ///
  /// - Parameters:
  ///   - total: How many items there are.
  ///   - url: Where the list is, without a query.
  /// - Returns: Nil where the page is the only one.
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
