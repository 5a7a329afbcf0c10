import Foundation
import Testing

@testable import TestSupport

/// A client of a loopback Forgejo or Gitea, without a server in between.
struct ForgeClient {
  /// An answer.
  struct Answer {
    var status: Int
    var headers: LoopbackHeaders
    var body: String
    /// The body as JSON; null where it is none.
    var json: JSONInput { JSONInput(Data(body.utf8)) ?? .null }
    /// The numbers of a list of issues.
    var numbers: [Int] { json.elements?.compactMap { $0["number"]?.integer } ?? [] }
    /// The message of an error.
    var message: String? { json["message"]?.text }
    /// The links to other pages, without their origin.
    var links: [String] {
      headers["Link"]?.replacing("http://h", with: "").split(separator: ",").map(String.init) ?? []
    }
  }

  let github: LoopbackGitHub
  var token: String? = "secret"
  var repository = LoopbackRepository.swift()

  /// Creates a server of a kind with some open issues, and a client of it.
  init(
    _ forge: LoopbackForge, issues: Int = 5, pullRequests: Double = 0,
    _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
  ) {
    var configuration = LoopbackGitHub.Configuration()
    configuration.forge = forge
    configuration.repositories = [
      .swift(
        issues: SyntheticIssues(
          count: issues, pullRequests: pullRequests, closed: 0, mostComments: 2))
    ]
    configuration.now = { Date(timeIntervalSince1970: 1_790_000_000) }
    configure(&configuration)
    github = LoopbackGitHub(configuration)
    if let first = configuration.repositories.first { repository = first }
  }

  /// Sends a request. The path is below the repository's unless it begins with two slashes.
  func send(
    _ method: String, _ path: String, _ body: String? = nil,
    headers: LoopbackHeaders = ["Content-Type": "application/json"]
  ) async -> Answer {
    let target =
      path.hasPrefix("//")
      ? "/api/v1" + path.dropFirst() : "/api/v1/repos/\(repository.fullName)\(path)"
    return await send(method, target: target, body, headers: headers)
  }

  /// Sends a request to any target.
  func send(
    _ method: String, target: String, _ body: String? = nil, headers: LoopbackHeaders = [:]
  ) async -> Answer {
    var fields: LoopbackHeaders = ["Host": "h"]
    if let token { fields.add("Authorization", "token \(token)") }
    for field in headers { fields.add(field.name, field.value) }
    let response = await github.handler(
      LoopbackRequest(
        method: method, target: target, headers: fields, body: Data((body ?? "").utf8)))
    return Answer(
      status: response.status, headers: response.headers,
      body: String(decoding: response.body, as: UTF8.self))
  }

  func get(_ path: String) async -> Answer { await send("GET", path) }
}
