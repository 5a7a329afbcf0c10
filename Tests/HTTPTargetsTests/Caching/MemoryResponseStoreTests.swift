import HTTPTypes
import Testing

@testable import HTTPTargets

@Suite("MemoryResponseStore")
struct MemoryResponseStoreTests {
  @Test("MemoryResponseStore returns the latest response stored under a key until it is removed")
  func last() async throws {
    let store = MemoryResponseStore()
    let key = try ResponseKey.animals()
    #expect(await store.response(for: key) == nil)
    for body in ["cats", "dogs"] {
      let response = try StoredResponse.animals(body: body)
      await store.store(response, for: key)
      #expect(await store.response(for: key) == response)
    }
    #expect(await store.response(for: try .animals("other")) == nil)
    #expect(store.count == 1)
    await store.removeResponse(for: key)
    #expect(await store.response(for: key) == nil)
  }

  @Test("the least recently used response is removed from a full memory store")
  func leastRecentlyUsed() async throws {
    let store = MemoryResponseStore(capacity: 1000)
    let body = String(repeating: "x", count: 200)
    for name in ["a", "b", "c"] {
      await store.store(try .animals(body: body), for: try .animals(name))
    }
    #expect(store.count == 3)
    _ = await store.response(for: try .animals("a"))
    await store.store(try .animals(body: body), for: try .animals("d"))
    #expect(await store.response(for: try .animals("a")) != nil)
    #expect(await store.response(for: try .animals("b")) == nil)
    #expect(await store.response(for: try .animals("d")) != nil)
  }

  @Test(
    "a response larger than the store isn't stored, and the one that it would replace is removed")
  func tooLong() async throws {
    let store = MemoryResponseStore(capacity: 1000)
    await store.store(try .animals(), for: try .animals())
    let long = String(repeating: "x", count: 1000)
    await store.store(try .animals(body: long), for: try .animals())
    #expect(store.count == 0)
  }

  @Test("replacing a response many times doesn't fill the memory store")
  func replaced() async throws {
    let store = MemoryResponseStore(capacity: 1000)
    let body = String(repeating: "x", count: 300)
    await store.store(try .animals(body: "cats"), for: try .animals("other"))
    for _ in 0..<20 { await store.store(try .animals(body: body), for: try .animals()) }
    #expect(store.count == 2)
    store.removeAll()
    #expect(store.count == 0)
  }
}
