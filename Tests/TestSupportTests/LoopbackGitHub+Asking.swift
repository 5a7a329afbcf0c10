import Foundation
import Testing

@testable import TestSupport

/// An issue or a comment, as far as the tests of the loopback GitHub look at it.
struct AnsweredItem: Decodable, Equatable {
  var id: Int
  var number: Int?
  var title: String?
  var body: String?
  var comments: Int?
  var updatedAt: Date
  var issueUrl: String?
}

extension LoopbackGitHub {
  /// Asks without a server in between.
  func get(_ target: String, headers: LoopbackHeaders = [:]) async -> LoopbackResponse {
    var all: LoopbackHeaders = ["User-Agent": "t", "Host": "h"]
    for field in headers { all.add(field.name, field.value) }
    return await handler(LoopbackRequest(method: "GET", target: target, headers: all))
  }

  /// The items of a list's page.
  func items(_ target: String) async throws -> [AnsweredItem] {
    try Self.items(await get(target))
  }

  /// The items of every page, by the links to the next one.
  func walk(_ target: String) async throws -> (items: [AnsweredItem], pages: Int) {
    var (items, pages): ([AnsweredItem], Int) = ([], 0)
    var next: String? = target
    while let target = next, pages < 1000 {
      let response = await get(target)
      items += try Self.items(response)
      pages += 1
      next = response.link("next")
    }
    return (items, pages)
  }

  private static func items(_ response: LoopbackResponse) throws -> [AnsweredItem] {
    #expect(response.status == 200)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode([AnsweredItem].self, from: response.body)
  }
}

extension LoopbackResponse {
  /// The target of a relation of `Link`, without the origin.
  func link(_ relation: String) -> String? {
    headers["Link"]?.split(separator: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }
      .map { String($0.drop { $0 != "/" }.dropFirst(3).prefix { $0 != ">" }) }
  }
}
