import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("PagedListing", .timeLimit(.minutes(5)))
struct PagedListingTests {
  private func listing(
    _ server: LoopbackServer, maximumPages: Int = 10_000,
    retry: RetryPolicy? = nil
  ) throws -> PagedListing<Int> {
    PagedListing(
      provider: try Provider(asking: server, retry: retry),
      first: NumberPages.first, maximumPages: maximumPages)
  }

  @Test("PagedListing returns every page once, in order, and sends nothing before the first read")
  func everyPage() async throws {
    try await withLoopbackServer {
      NumberPages.response(to: $0, count: 4)
    } perform: { server in
      var pages = try listing(server).makeAsyncIterator()
      #expect(server.log.requestCount == 0)
      let (all, error) = await pages.rest()
      #expect(error == nil)
      #expect(all.map(\.items) == [[10, 11], [20, 21], [30, 31], [40, 41]])
      #expect(all.map(\.hasNext) == [true, true, true, false])
      #expect(try await pages.next(isolation: nil) == nil)
      #expect(server.log.requests.map(NumberPages.page) == [1, 2, 3, 4])
      #expect(
        server.log.requests.map(\.path) == ["/repos/a/b/issues"]
          + Array(repeating: "/repositories/1/issues", count: 3))
    }
  }

  @Test("an endless list of empty pages ends with an error")
  func emptyPages() async throws {
    try await withLoopbackServer { request in
      let page = NumberPages.page(request)
      return LoopbackResponse.json("[]").with {
        $0.headers.add("Link", "<\(request.origin)/x?page=\(page + 1)>; rel=\"next\"")
      }
    } perform: { server in
      var pages = try listing(server).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error?.code == .decoding)
      #expect(all.count == 20)
      #expect(server.log.requestCount <= 21)
    }
  }

  @Test("an endless list of repeated entries ends with an error")
  func stalePages() async throws {
    try await withLoopbackServer { request in
      let page = NumberPages.page(request)
      return LoopbackResponse.json(page < 4 ? "[\(page)]" : "[\(page % 3 + 1), 1]").with {
        $0.headers.add("Link", "<\(request.origin)/x?page=\(page + 1)>; rel=\"next\"")
      }
    } perform: { server in
      var pages = try listing(server).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error?.code == .decoding)
      #expect(error?.message.contains("its last 20 pages had nothing new") == true)
      #expect(all.count == 23)
      #expect(server.log.requestCount <= 24)
    }
  }

  @Test("pages are followed as long as some of them have new entries")
  func sparsePages() async throws {
    try await withLoopbackServer { request in
      let page = NumberPages.page(request)
      return LoopbackResponse.json("[\(page / 15)]").with {
        if page < 100 {
          $0.headers.add("Link", "<\(request.origin)/x?page=\(page + 1)>; rel=\"next\"")
        }
      }
    } perform: { server in
      var pages = try listing(server).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error == nil)
      #expect(all.count == 100)
    }
  }

  @Test("an entry that changes between pages counts as the same entry")
  func changingEntries() async throws {
    try await withLoopbackServer { request in
      let page = NumberPages.page(request)
      let issue = "{\"id\": 1, \"number\": 1, \"title\": \"\(page)\", \"state\": \"open\"}"
      return LoopbackResponse.json("[\(issue)]").with {
        $0.headers.add("Link", "<\(request.origin)/x?page=\(page + 1)>; rel=\"next\"")
      }
    } perform: { server in
      var pages = PagedListing<GitHub.Issue>(
        provider: try Provider(asking: server), first: NumberPages.first
      ).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error?.code == .decoding)
      #expect(all.count == 21)
    }
  }

  @Test(
    "a failed page ends the list with an error after the complete pages",
    arguments: [
      (LoopbackResponse.json("[1, 2").with { $0.framing = .declaredLength(9) }, "transport"),
      (.reset, "transport"), (.json("[1, 2"), "decoding"), (.json(""), "decoding"),
      (.text("<html>"), "decoding"), (GitHubError.unavailable.response(now: 0), "statusCode"),
      (GitHubError.secondaryRateLimit(status: 403, retryAfter: 7).response(now: 0), "rateLimited"),
    ] as [(LoopbackResponse, String)])
  func failingPage(answer: LoopbackResponse, code: String) async throws {
    try await withLoopbackServer {
      NumberPages.page($0) == 3 ? answer : NumberPages.response(to: $0, count: 4)
    } perform: { server in
      var pages = try listing(server).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(all.map(\.items) == [[10, 11], [20, 21]])
      #expect(error?.code.rawValue == code)
      // It is over. (After a reset of a connection that was kept, libcurl asks again on another.)
      #expect(try await pages.next(isolation: nil) == nil)
      #expect(Set(server.log.requests.map(NumberPages.page)) == [1, 2, 3])
    }
  }

  @Test(
    "a page that fails temporarily is retried and returned once, in its place",
    arguments: [
      LoopbackResponse.json("[30, 3").with { $0.framing = .declaredLength(9) }, .reset,
      .closeWithoutAnswering, GitHubError.unavailable.response(now: 0),
    ])
  func passingFailure(answer: LoopbackResponse) async throws {
    let failures = Watched(2)
    try await withLoopbackServer { request in
      let isFailing =
        NumberPages.page(request) == 3
        && failures.update { left in
          defer { left -= 1 }
          return left > 0
        }
      return isFailing ? answer : NumberPages.response(to: request, count: 4)
    } perform: { server in
      let retry = RetryPolicy(baseDelay: .zero)
      var pages = try listing(server, retry: retry).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error == nil)
      #expect(all.map(\.items) == [[10, 11], [20, 21], [30, 31], [40, 41]])
      #expect(server.log.requests.count { NumberPages.page($0) == 3 } == 3)
    }
  }

  @Test("an interrupted page cancels the request for the next page")
  func brokenPageWithNext() async throws {
    let isPrefetched = Gate()
    try await withLoopbackServer { request in
      let answer = NumberPages.response(to: request, count: 4)
      switch NumberPages.page(request) {
      case 2:
        // The body stops short of its length once the page that the head names was asked for.
        return answer.bodyHeld(by: isPrefetched).with { $0.framing = .declaredLength(99) }
      case 3:
        isPrefetched.open()
        return .stall
      default:
        return answer
      }
    } perform: { server in
      var pages = try listing(server).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(all.map(\.items) == [[10, 11]])
      #expect(error?.code == .transport)
      try await server.log.waitForCancellation { NumberPages.page($0) == 3 }
    }
  }

  @Test(
    "a loop is refused after the page that leads into it",
    arguments: [(1, [1, 1]), (2, [1, 2]), (3, [1, 2, 3])])
  func circles(target: Int, requests: [Int]) async throws {
    try await withLoopbackServer { request in
      let page = NumberPages.page(request)
      let next = page == target ? page : page + 1
      return NumberPages.response(page, next: "/repositories/1/issues?page=\(next)")
    } perform: { server in
      var pages = try listing(server).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error?.code == .decoding)
      #expect(all.map(\.items.first) == requests.map { $0 * 10 })
      #expect(all.allSatisfy { $0.hasNext })
      #expect(server.log.requests.map(NumberPages.page) == requests)
    }
  }

  @Test("an endless list is followed up to the maximum number of pages", arguments: [1, 2, 5])
  func endless(maximum: Int) async throws {
    try await withLoopbackServer {
      NumberPages.response(to: $0, count: .max)
    } perform: { server in
      var pages = try listing(server, maximumPages: maximum).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(all.count == maximum)
      #expect(error?.code == .decoding)
      #expect(error?.message.contains("more than \(maximum) pages") == true)
      #expect(server.log.requestCount == maximum)
    }
  }

  @Test("dropping the iterator cancels the active request")
  func dropped() async throws {
    try await withLoopbackServer {
      NumberPages.page($0) == 2 ? .stall : NumberPages.response(to: $0, count: 3)
    } perform: { server in
      for try await page in try listing(server) {
        #expect(page.items == [10, 11])
        try await server.log.waitForRequest { NumberPages.page($0) == 2 }
        break
      }
      try await server.log.waitForCancellation { NumberPages.page($0) == 2 }
    }
  }

  @Test(
    "canceling a reader that waits for a page ends the listing with 'cancelled'", arguments: [1, 2])
  func cancelled(held: Int) async throws {
    let gate = Gate()
    try await withLoopbackServer { request in
      let answer = NumberPages.response(to: request, count: 3)
      return NumberPages.page(request) == held ? answer.bodyHeld(by: gate) : answer
    } perform: { server in
      let listing = try listing(server)
      let reader = Task {
        var pages = listing.makeAsyncIterator()
        return await pages.rest()
      }
      // The page after the held one is asked for, so the held one's head is in.
      try await server.log.waitForRequest { NumberPages.page($0) == held + 1 }
      reader.cancel()
      let (all, error) = await reader.value
      #expect(all.count == held - 1)
      #expect(error?.code == .cancelled)
      try await server.log.waitForCancellation { NumberPages.page($0) == held }
    }
  }

  @Test("canceling a listing before the head or before the request ends it")
  func cancelledEarly() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let listing = try listing(server)
      let reader = Task {
        var pages = listing.makeAsyncIterator()
        return await pages.rest().error
      }
      try await server.log.waitForRequest()
      reader.cancel()
      #expect(await reader.value?.code == .cancelled)
      try await server.log.waitForCancellation()

      let gate = Gate()
      let late = Task {
        await gate.wait()
        var pages = listing.makeAsyncIterator()
        return await pages.rest().error
      }
      late.cancel()
      #expect(await late.value?.code == .cancelled)
      #expect(server.log.requestCount == 1)
    }
  }
}
