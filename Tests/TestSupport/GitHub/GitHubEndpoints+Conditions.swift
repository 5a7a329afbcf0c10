internal import PlatformModules

/// Conditional requests (RFC 9110, section 13).
extension GitHubEndpoints {
  func tagged(_ body: String) -> LoopbackResponse {
    conditional(.json(body), content: StableHash.of(body))
  }

  /// GitHub's tags are weak, and differ by token and requested form.
  func entityTag(_ content: UInt64) -> String {
    let parts = [
      "\(content)", request.target, request.headers["Authorization"] ?? "",
      request.headers["X-GitHub-Api-Version"] ?? "",
    ]
    let first = StableHash.of(parts.joined(separator: "\n"))
    return "W/\"\(String(first, radix: 16))\(String(first &* 0x9E37_79B9_7F4A_7C15, radix: 16))\""
  }

  /// The answer, or 304 if the client has it.
  func conditional(_ response: LoopbackResponse, content: UInt64) -> LoopbackResponse {
    var response = response
    let tag = entityTag(content)
    response.headers["ETag"] = tag
    let known = request.headers["If-None-Match"]?.split(separator: ",").map {
      $0.drop { $0 == " " }
    }
    if let known, known.contains(where: { $0 == tag || $0 == tag.dropFirst(2) || $0 == "*" }) {
      response.status = 304
      response.body = Data()
    }
    return response
  }
}
