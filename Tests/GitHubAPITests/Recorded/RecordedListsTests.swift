import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite(
  "Recorded exchanges over the wire", .timeLimit(.minutes(5)),
  .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
struct RecordedListsTests {
  /// The first recorded page, as a link: its query is not quite the one that this package makes.
  private func first(
    of recorded: RecordedExchanges, at server: LoopbackServer
  ) throws -> GitHub {
    let path = RecordedExchanges.path(of: try #require(recorded.exchanges.first))
    let field = HTTPField(
      name: try #require(HTTPField.Name("Link")), value: "<\(server.url)\(path)>; rel=next")
    return .page(try #require(try PageLink.next(in: HTTPFields([field]), of: server.url)))
  }

  @Test(
    "a list is read to its end, with every item once and in the recorded order",
    arguments: [
      ("issues-01-paginated-5x3.json", 5, 13, 13),
      ("issues-02-closed-16-pages-2019.json", 16, 471, 193),
    ])
  func lists(file: String, pageCount: Int, itemCount: Int, issueCount: Int) async throws {
    let recorded = try RecordedExchanges(file: file)
    try await withLoopbackServer(answering: recorded.handler) { server in
      let listing = PagedListing<GitHub.Issue>(
        provider: try Provider(asking: server), first: try first(of: recorded, at: server))
      var pages = listing.makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error == nil)
      #expect(all.count == pageCount)
      let items = all.flatMap(\.items)
      let expected = try recorded.exchanges.flatMap { exchange in
        try GitHubJSON.decode([GitHub.Issue].self, from: Data(exchange.body.utf8)).map(\.number)
      }
      #expect(items.map(\.number) == expected)
      #expect(items.count == itemCount)
      #expect(Set(items.map(\.id)).count == itemCount)
      #expect(items.count { !$0.isPullRequest } == issueCount)
      #expect(server.log.requestCount == pageCount)
    }
  }

  @Test(
    "a search is read to its end by the links of its pages",
    arguments: [
      ("search-repos-01-2019.json", 1, 30, 1677),
      ("search-repos-05-per_page-1-chain.json", 2, 2, 2),
      ("search-repos-06-forks-nonascii.json", 1, 14, 14),
    ])
  func searches(file: String, pageCount: Int, itemCount: Int, totalCount: Int) async throws {
    let recorded = try RecordedExchanges(file: file)
    try await withLoopbackServer(answering: recorded.handler) { server in
      let provider = try Provider<GitHub>(asking: server)
      var page: GitHub? = try first(of: recorded, at: server)
      var found: [GitHub.Repository] = []
      for _ in 1...pageCount {
        let response = try await provider.request(try #require(page))
        let results = try GitHubJSON.decode(
          SearchResults<GitHub.Repository>.self, from: response.body)
        #expect(results.totalCount == totalCount)
        #expect(!results.isIncomplete)
        found += results.items
        page = try PageLink.next(in: response.headers, of: response.request.url).map(GitHub.page)
      }
      #expect(found.count == itemCount)
      #expect(Set(found.map(\.id)).count == itemCount)
      #expect(found.allSatisfy { RepositoryName($0.fullName)?.name == $0.name })
      #expect((page == nil) == (itemCount == totalCount), "more than the recording has")
      #expect(server.log.requestCount == pageCount)
    }
  }

  @Test("a renamed repository is followed and has its new name")
  func renamed() async throws {
    let recorded = try RecordedExchanges(file: "redirects-and-304.json")
    try await withLoopbackServer(answering: recorded.handler) { server in
      let provider = try Provider<GitHub>(asking: server)
      let name = "octokit-fixture-org/tmp-scenario-rename-repository-20220719044033126-ukeod"
      let response = try await provider.request(.repo(fullName: name))
      #expect(response.redirects == ["\(server.url)/repos/\(name)"])
      #expect(response.attempts == 2)
      let repository = try await provider.repository(try #require(RepositoryName(name)))
      #expect(repository.id == 515_436_299)
      #expect(repository.fullName == name + "-newname")
      #expect(
        server.log.requests.map(\.path).suffix(2) == ["/repos/\(name)", "/repositories/515436299"])
    }
  }

  /// Any request below a server.
  private struct Recorded: TargetType {
    var baseURL: String
    var exchange: RecordedExchanges.Exchange
    var task = HTTPTask.plain

    var path: URLPath { "\(raw: RecordedExchanges.path(of: exchange))" }
    var method: HTTPRequest.Method { HTTPRequest.Method(rawValue: exchange.method) ?? .get }
    var headers: HTTPFields { [:] }
    var policy: TargetPolicy { .standard }
  }

  @Test("a 307 keeps the method and the body of a write")
  func changeOfRenamed() async throws {
    let recorded = try RecordedExchanges(file: "redirects-and-304.json")
    let exchange = try #require(recorded.exchanges.first { $0.method == "PATCH" })
    let handler = recorded.handler
    try await withLoopbackServer { request in
      guard request.path == "/repositories/515436299" else { return await handler(request) }
      return LoopbackResponse.json("{}")
    } perform: { server in
      let provider = Provider<Recorded>(transport: Self.transport)
      let response = try await provider.request(
        Recorded(
          baseURL: server.url, exchange: exchange, task: .json(["description": "new"])))
      #expect(response.status == 200)
      #expect(server.log.requests.map(\.method) == ["PATCH", "PATCH"])
      #expect(server.log.requests.last?.path == "/repositories/515436299")
      for request in server.log.requests {
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"description":"new"}"#)
        #expect(request.headers["Content-Type"] == "application/json")
      }
    }
  }

  /// Sends a recorded request to a server that replays its answer.
  private func failure(_ exchange: RecordedExchanges.Exchange) async throws -> NetworkError {
    try await withLoopbackServer(answering: RecordedExchanges([exchange]).handler) { server in
      let provider = Provider<Recorded>(plugins: [.gitHubErrors()], transport: Self.transport)
      do throws(NetworkError) {
        _ = try await provider.request(Recorded(baseURL: server.url, exchange: exchange))
      } catch {
        return error
      }
      throw Unexpected(name: exchange.name)
    }
  }

  private struct Unexpected: Error {
    var name: String
  }

  @Test("an error keeps its status and contains the server's message")
  func errors() async throws {
    let said = [
      "err-401-bad-credentials": "Bad credentials",
      "err-401-otp": "Must specify two-factor authentication OTP code.",
      "err-403-permission": "Must have push access to view collaborator permission.",
      "err-404-documentation_url-2024#1": "Not Found",
      "err-404-documentation_url-2024#2": "Not Found",
      "err-422-field-errors": "Validation Failed: Label color invalid",
      "err-422-status-string-2024":
        "Unable to parse If-Modified-Since request header. "
        + "Please make sure value is in an acceptable format.",
      "err-422-custom-message":
        "Validation Failed: A pull request already exists for hub4j-test-org:test/stable.",
    ]
    let exchanges = try ["errors-401-403.json", "errors-404-422.json"].flatMap {
      try RecordedExchanges(file: $0).exchanges
    }
    #expect(Set(exchanges.map(\.name)) == Set(said.keys))
    for exchange in exchanges {
      let error = try await failure(exchange)
      #expect(error.code == .statusCode, "\(exchange.name)")
      #expect(error.response?.status.code == exchange.status, "\(exchange.name)")
      #expect(
        error.message.hasSuffix("status \(exchange.status): \(said[exchange.name] ?? "-")"),
        "\(exchange.name)")
      #expect(error.response?.body == Data(exchange.body.utf8), "\(exchange.name)")
    }
  }

  @Test("an HTML page isn't in the error's message, and is complete in its response")
  func html() async throws {
    let recorded = try RecordedExchanges(file: "errors-5xx-and-broken-bodies.json")
    for exchange in recorded.exchanges {
      let error = try await failure(exchange)
      #expect(error.code == .statusCode)
      #expect(error.message.hasSuffix("answered with status 503 Service Unavailable"))
      #expect(!error.description.contains("<"))
      #expect(error.description.count < 200)
      #expect(error.response?.body.count == exchange.body.utf8.count)
    }
  }

  @Test("each of the nine recorded forms of a rate limit is recognized with its end, if given")
  func limits() async throws {
    let seconds: [String: Double] = [
      "err-403-429-secondary-set#3": 8, "err-403-429-secondary-set#4": 8,
      "err-403-429-secondary-set#5": 8, "err-403-primary-set#1": 3, "err-403-primary-set#2": 3,
      "err-403-primary-set#3": 1,
    ]
    let exchanges = try RecordedExchanges(file: "errors-rate-limit-authoredited.json").exchanges
    #expect(exchanges.count == 9)
    for exchange in exchanges {
      let before = Date()
      let error = try await failure(exchange)
      #expect(error.code == .rateLimited, "\(exchange.name)")
      guard let wait = seconds[exchange.name] else {
        #expect(error.retryDate == nil, "\(exchange.name)")
        continue
      }
      // The server counts whole seconds, so that a part of one can be missing.
      let retryDate = try #require(error.retryDate, "\(exchange.name)")
      #expect(retryDate > before.addingTimeInterval(wait - 1), "\(exchange.name)")
      #expect(retryDate <= Date().addingTimeInterval(wait), "\(exchange.name)")
    }
  }

  private static let transport = CurlTransport(
    configuration: .init(certificates: CertificateStore()))
}
