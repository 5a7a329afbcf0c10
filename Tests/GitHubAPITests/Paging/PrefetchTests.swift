import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("Prefetching", .timeLimit(.minutes(5)))
struct PrefetchTests {
  @Test(
    "the next page is requested during the body of page 1, and later pages are requested on demand")
  func onePageAhead() async throws {
    let gate = Gate()
    try await withLoopbackServer { request in
      let answer = NumberPages.response(to: request, count: 4)
      let isFirst = request.path == "/repos/a/b/issues"
      return isFirst ? answer.bodyHeld(by: gate) : answer
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server)
      let listing = PagedListing<Int>(provider: provider, first: NumberPages.first)
      let (taken, wantsSecond, isSeen) = (Gate(), Gate(), Gate())
      let reader = Task {
        var pages = listing.makeAsyncIterator()
        let first = try await pages.next(isolation: nil)
        taken.open()
        await wantsSecond.wait()
        let second = try await pages.next(isolation: nil)
        await isSeen.wait()
        return [first?.items, second?.items]
      }
      try await server.log.waitForOutcome(.answered) { NumberPages.page($0) == 2 }
      #expect(!gate.isOpen && !taken.isOpen)
      // A whole call later, neither the held page nor the one that is in has led to page 3.
      _ = try await provider.request(.userProfile(username: "ada"))
      #expect(server.log.requests.map(NumberPages.page) == [1, 2, 1])
      gate.open()
      await taken.wait()
      _ = try await provider.request(.userProfile(username: "ada"))
      #expect(server.log.requests.count { NumberPages.page($0) == 3 } == 0)

      wantsSecond.open()
      try await server.log.waitForRequest { NumberPages.page($0) == 3 }
      isSeen.open()
      #expect(try await reader.value == [[10, 11], [20, 21]])
      #expect(server.log.requests.count { NumberPages.page($0) == 4 } == 0)
    }
  }

  @Test(
    "a listing without prefetching requests pages on demand, and prefetching can change per page")
  func withoutPrefetching() async throws {
    try await withLoopbackServer {
      NumberPages.response(to: $0, count: 4)
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server)
      var pages = PagedListing<Int>(provider: provider, first: NumberPages.first)
        .makeAsyncIterator()
      for page in 1...2 {
        #expect(try await pages.next(pagesAhead: 0)?.items.first == page * 10)
        _ = try await provider.request(.userProfile(username: "ada"))
        #expect(server.log.requests.count { $0.path.hasSuffix("/issues") } == page)
      }
      #expect(try await pages.next(pagesAhead: .max)?.items == [30, 31])
      try await server.log.waitForRequest { NumberPages.page($0) == 4 }
      let last = try #require(try await pages.next(pagesAhead: 0))
      #expect(last.items == [40, 41] && !last.hasNext)
      #expect(try await pages.next(pagesAhead: .max) == nil)
      #expect(server.log.requests.count { $0.path.hasSuffix("/issues") } == 4)
    }
  }

  /// Sends a request again, once, when it failed.
  private struct OnceMore: Interceptor {
    func intercept(
      _ request: TargetRequest, call: TargetCall, next: Next
    ) async throws(NetworkError) -> TargetResponse {
      do throws(NetworkError) {
        return try await next(request)
      } catch {
        return try await next(request)
      }
    }
  }

  @Test("a retried page leads to the next page named by its complete response")
  func secondAnswer() async throws {
    // The list changes between the two answers of page 1. Page 2 of the first, which is prefetched,
    // would leave out what moved to page 5 of the second.
    let isPrefetched = Gate()
    let calls = RouteTable.sequence([
      NumberPages.response(1, next: "/x?page=2").bodyHeld(by: isPrefetched)
        .with { $0.framing = .declaredLength(99) },
      NumberPages.response(1, next: "/x?page=5"),
    ])
    try await withLoopbackServer { request in
      let page = NumberPages.page(request)
      if page == 1 { return await calls(request) }
      isPrefetched.open()
      return NumberPages.response(page, next: nil)
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server, interceptors: [OnceMore()])
      var pages = PagedListing<Int>(provider: provider, first: NumberPages.first)
        .makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error == nil)
      #expect(all.map(\.items) == [[10, 11], [50, 51]])
      #expect(server.log.requests.map(NumberPages.page).sorted() == [1, 1, 2, 5])
    }
  }
}
