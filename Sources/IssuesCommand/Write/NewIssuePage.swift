internal import IssueTracker

/// The page for a new issue in the browser, already filled in
/// (<https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/creating-an-issue#creating-an-issue-from-a-url-query>).
struct NewIssuePage: Sendable, Hashable {
  /// The maximum length of a URL. GitHub rejects longer ones with 414.
  private static let maximumLength = 8_000

  var title: String?
  var body: String?
  var labels: [String] = []
  var assignees: [String] = []
  var milestone: String?
  var template: String?

  func url(at place: Place) throws(CommandFailure) -> String {
    let fields: [(String, String?)] = [
      ("title", title), ("body", body),
      ("labels", labels.isEmpty ? nil : labels.joined(separator: ",")),
      ("assignees", assignees.isEmpty ? nil : assignees.joined(separator: ",")),
      ("milestone", milestone), ("template", template),
    ]
    let query = fields.compactMap { name, value in
      value.map { "\(name)=\(PercentEncoding.encode($0))" }
    }
    let page = "\(place.server.webURL(of: place.name))/issues/new"
    let url = query.isEmpty ? page : "\(page)?\(query.joined(separator: "&"))"
    guard url.utf8.count <= Self.maximumLength else {
      throw CommandFailure(
        .usage, "the text is too long for an address: leave out --web, or paste the text there")
    }
    return url
  }
}
