import Foundation
import Testing

@testable import TestSupport

/// A client of a loopback server that writes: each request on a connection of its own.
struct WritingClient {
  /// An answer.
  struct Answer {
    var status: Int
    var headers: LoopbackHeaders
    var body: String
    /// The body as JSON; null where it is none.
    var json: JSONInput { JSONInput(Data(body.utf8)) ?? .null }
  }

  let port: UInt16
  var token: String? = "secret"
  /// The prefix of the paths.
  var base = "/repos/swiftlang/swift"

  /// Sends a request; the path is below ``base`` unless it begins with two slashes.
  func send(
    _ method: String, _ path: String, _ body: String? = nil, headers: [String] = []
  ) async throws -> Answer {
    let target = path.hasPrefix("//") ? String(path.dropFirst()) : base + path
    var fields = ["Host: 127.0.0.1:\(port)", "User-Agent: test", "Connection: close"] + headers
    if let token { fields.append("Authorization: Bearer \(token)") }
    if let body { fields.append("Content-Length: \(body.utf8.count)") }
    let connection = try await RawConnection(port: port)
    let data: Data
    do {
      try await connection.send(
        "\(method) \(target) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(body ?? "")")
      data = try await connection.receiveAll()
      await connection.close()
    } catch {
      await connection.close()
      throw error
    }
    let end = try #require(data.firstRange(of: Data("\r\n\r\n".utf8)))
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let status = try #require(lines.first?.split(separator: " ").dropFirst().first)
    var headers = LoopbackHeaders()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers.add(String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
    return Answer(
      status: try #require(Int(status)), headers: headers,
      body: String(decoding: data[end.upperBound...], as: UTF8.self))
  }
}

extension JSONInput {
  /// A member of a member, by names with dots between them; numbers are places.
  func at(_ path: String) -> JSONInput? {
    path.split(separator: ".").reduce(self) { value, name in
      Int(name).map { place in
        value?.elements.flatMap { $0.indices.contains(place) ? $0[place] : nil }
      } ?? value?[String(name)]
    }
  }

  /// One text of each element.
  func texts(_ name: String) -> [String] { elements?.compactMap { $0[name]?.text } ?? [] }
}

/// A loopback GitHub with few issues, and a client of it.
func withWritableGitHub(
  issues: Int = 5, _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in },
  perform body: (LoopbackGitHub, WritingClient) async throws -> Void
) async throws {
  var configuration = LoopbackGitHub.Configuration()
  configuration.repositories = [
    .swift(issues: SyntheticIssues(count: issues, pullRequests: 0, closed: 0, mostComments: 2))
  ]
  configure(&configuration)
  let github = LoopbackGitHub(configuration)
  try await withLoopbackServer(answering: github.handler) { server in
    try await body(github, WritingClient(port: server.port))
  }
}
