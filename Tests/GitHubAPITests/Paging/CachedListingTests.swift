import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("Cached pages of a list", .timeLimit(.minutes(5)))
struct CachedListingTests {
  /// A list of numbers whose pages have tags, and which can change.
  private struct Server: Sendable {
    /// For each page the page that follows; the first one is 1.
    let order = Watched<[Int: Int]>([1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8])
    /// Holds back the answers to the second reading of the first page.
    let gate = Gate(isOpen: true)
    /// The responses that replace the usual ones, by page.
    let answers = Watched<[Int: LoopbackResponse]>([:])

    func respond(_ request: LoopbackRequest) -> LoopbackResponse {
      let page = NumberPages.page(request)
      if let answer = answers.current[page] { return answer }
      let next = order.current[page].map { "/x?page=\($0)" }
      var response = NumberPages.response(page, next: next)
      let tag = "W/\"\(page) \(next ?? "")\""
      if request.headers["If-None-Match"] == tag {
        response = LoopbackResponse(status: 304)
      }
      response.headers["ETag"] = tag
      return request.path == "/repos/a/b/issues" ? response.held(by: gate) : response
    }
  }

  private func withServer(
    _ body: (Server, LoopbackServer, Provider<GitHub>) async throws -> Void
  ) async throws {
    let server = Server()
    try await withLoopbackServer {
      server.respond($0)
    } perform: { loopback in
      let cache = CachingInterceptor(store: MemoryResponseStore())
      let provider = try Provider<GitHub>(asking: loopback, interceptors: [cache])
      try await body(server, loopback, provider)
    }
  }

  private func listing(
    _ provider: Provider<GitHub>, maximumPages: Int = 10_000
  ) -> PagedListing<Int> {
    PagedListing(provider: provider, first: NumberPages.first, maximumPages: maximumPages)
  }

  private func numbers(_ provider: Provider<GitHub>) async throws -> [Int] {
    var pages = listing(provider).makeAsyncIterator()
    let (all, error) = await pages.rest()
    if let error { throw error }
    return all.map { ($0.items.first ?? 0) / 10 }
  }

  @Test("a second listing requests each page once, conditionally")
  func secondTime() async throws {
    try await withServer { _, loopback, provider in
      let first = try await numbers(provider)
      #expect(first == Array(1...8))
      #expect(try await numbers(provider) == first)
      let again = loopback.log.requests.dropFirst(8)
      #expect(again.map(NumberPages.page).sorted() == first)
      #expect(again.allSatisfy { $0.headers["If-None-Match"] != nil })
    }
  }

  @Test(
    "up to four later pages are requested before the first response",
    arguments: [(.max, 5), (10, 5), (4, 5), (3, 4), (1, 2), (0, 1)])
  func ahead(pagesAhead: Int, requests: Int) async throws {
    try await withServer { server, loopback, provider in
      _ = try await numbers(provider)
      server.gate.close()
      let before = loopback.log.requestCount
      let reader = Task {
        var pages = listing(provider).makeAsyncIterator()
        return try await pages.next(pagesAhead: pagesAhead)?.items
      }
      try await loopback.log.requests(count: before + requests)
      for page in 2..<(requests + 1) {
        try await loopback.log.waitForOutcome(.answered) { [page] request in
          NumberPages.page(request) == page && request.headers["If-None-Match"] != nil
        }
      }
      // A whole call later there is no other request.
      _ = try await provider.request(.userProfile(username: "ada"))
      #expect(
        loopback.log.requests.dropFirst(before).dropLast().map(NumberPages.page).sorted()
          == Array(1...requests))
      server.gate.open()
      #expect(try await reader.value == [10, 11])
    }
  }

  @Test(
    "a changed list is returned in its current order, despite early requests",
    arguments: [
      ([1: 2, 2: 3, 3: 4], [1, 2, 3, 4]), ([:], [1]), ([1: 3, 3: 2], [1, 3, 2]),
      ([1: 9, 9: 2, 2: 3, 3: 4], [1, 9, 2, 3, 4]),
      ([1: 2, 2: 9, 9: 5, 5: 4, 4: 3], [1, 2, 9, 5, 4, 3]),
      ([1: 8, 8: 7, 7: 6, 6: 5, 5: 4, 4: 3, 3: 2], [1, 8, 7, 6, 5, 4, 3, 2]),
    ] as [([Int: Int], [Int])])
  func changed(order: [Int: Int], expected: [Int]) async throws {
    try await withServer { server, _, provider in
      _ = try await numbers(provider)
      server.order.update { $0 = order }
      #expect(try await numbers(provider) == expected)
      #expect(try await numbers(provider) == expected)
    }
  }

  @Test("an early request for a page that is no longer in the list may fail")
  func failsEarly() async throws {
    try await withServer { server, loopback, provider in
      _ = try await numbers(provider)
      server.order.update { $0 = [1: 9] }
      server.answers.update { $0 = [2: .json("{}", status: 422), 3: .stall] }
      // The first page is answered once the others are on their way.
      server.gate.close()
      let reader = Task { try await numbers(provider) }
      try await loopback.log.waitForRequest { request in
        NumberPages.page(request) == 3 && request.headers["If-None-Match"] != nil
      }
      server.gate.open()
      #expect(try await reader.value == [1, 9])
      try await loopback.log.waitForCancellation { NumberPages.page($0) == 3 }
    }
  }

  @Test("a failed page ends the list at its position, and later requests are canceled")
  func fails() async throws {
    try await withServer { server, loopback, provider in
      _ = try await numbers(provider)
      server.answers.update { $0 = [3: .json("{}", status: 500), 4: .stall] }
      // The first page is answered once the others are on their way.
      server.gate.close()
      let reader = Task {
        var pages = listing(provider).makeAsyncIterator()
        return await pages.rest()
      }
      try await loopback.log.waitForRequest { request in
        NumberPages.page(request) == 4 && request.headers["If-None-Match"] != nil
      }
      server.gate.open()
      let (all, error) = await reader.value
      #expect(all.map(\.items.first) == [10, 20])
      #expect(error?.code == .statusCode)
      try await loopback.log.waitForCancellation { NumberPages.page($0) == 4 }
    }
  }

  @Test("a list with a new loop is refused after its existing pages")
  func circle() async throws {
    try await withServer { server, _, provider in
      _ = try await numbers(provider)
      server.order.update { $0[5] = 2 }
      for _ in 0..<2 {
        var pages = listing(provider).makeAsyncIterator()
        let (all, error) = await pages.rest()
        #expect(all.map(\.items.first) == [10, 20, 30, 40, 50])
        #expect(error?.code == .decoding)
      }
    }
  }

  @Test("early requests don't exceed the maximum number of pages", arguments: [1, 3])
  func bounded(maximum: Int) async throws {
    try await withServer { server, loopback, provider in
      _ = try await numbers(provider)
      let before = loopback.log.requestCount
      var pages = listing(provider, maximumPages: maximum).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(all.count == maximum)
      #expect(error?.message.contains("more than \(maximum) pages") == true)
      #expect(loopback.log.requestCount == before + maximum)
    }
  }

  @Test("canceling or dropping a listing cancels its early requests", arguments: [true, false])
  func givenUp(isCancelled: Bool) async throws {
    try await withServer { server, loopback, provider in
      _ = try await numbers(provider)
      server.answers.update { $0 = [2: .stall, 3: .stall, 4: .stall, 5: .stall] }
      let (isReading, goesOn) = (Gate(), Gate())
      // The first page is answered once the others are on their way.
      server.gate.close()
      let reader = Task {
        var pages = listing(provider).makeAsyncIterator()
        _ = try await pages.next(isolation: nil)
        isReading.open()
        if isCancelled {
          _ = try await pages.next(isolation: nil)
        } else {
          await goesOn.wait()
        }
      }
      for page in 2...5 {
        try await loopback.log.waitForRequest { [page] request in
          NumberPages.page(request) == page && request.headers["If-None-Match"] != nil
        }
      }
      server.gate.open()
      await isReading.wait()
      isCancelled ? reader.cancel() : goesOn.open()
      _ = await reader.result
      for page in 2...5 {
        try await loopback.log.waitForCancellation { [page] in NumberPages.page($0) == page }
      }
    }
  }
}
