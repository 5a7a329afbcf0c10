internal import PlatformModules

extension RecordedExchanges.Exchange {
  /// Fields that no longer hold when another server sends the answer.
  private static let dropped: Set = [
    "content-length", "content-encoding", "transfer-encoding", "connection",
  ]

  /// The recorded answer as this server sends it.
  public func response(to request: LoopbackRequest) -> LoopbackResponse {
    let now = Int(Date().timeIntervalSince1970)
    var response = LoopbackResponse(status: status)
    for field in headers where !Self.dropped.contains(field.name.lowercased()) {
      var value = Self.fillTemplates(field.value, now: now)
      if ["link", "location"].contains(field.name.lowercased()) {
        value = rewrite(value, to: request.origin)
      }
      response.headers.add(field.name, value)
    }
    response.body = Data(rewrite(body, to: request.origin).utf8)
    return response
  }

  private func rewrite(_ text: String, to origin: String) -> String {
    var origins = ["https://api.github.com:443", "https://api.github.com"]
    if let own = RequestTarget(url).origin, !origins.contains(own) { origins.append(own) }
    return origins.reduce(text) { $0.replacing($1, with: origin) }
  }

  /// Fills `{{now offset='8 seconds' format='unix'}}`, as WireMock does, with an epoch time if the format says so, or
  /// else with an HTTP date.
  private static func fillTemplates(_ text: String, now: Int) -> String {
    guard text.hasPrefix("{{"), text.hasSuffix("}}") else { return text }
    let words = text.dropFirst(2).dropLast(2).split(separator: "'")
    let offset =
      words.firstIndex { $0.hasSuffix("offset=") }
      .flatMap { words.index(after: $0) < words.endIndex ? words[words.index(after: $0)] : nil }
      .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    return text.contains("format='unix'")
      ? "\(now + offset)" : Timestamp.httpDate(now + offset)
  }
}
