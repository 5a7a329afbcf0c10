import HTTPTargets
import TestSupport
import Testing

@testable import CurlTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Each in a process of its own, which takes a system without free descriptors for it.
@Suite("A libcurl that fails", .timeLimit(.minutes(2)))
struct LibcurlFailureTests {
  @Test("to load is tried again by the next request")
  func loading() async {
    await #expect(processExitsWith: .success) {
      await #expect(throws: NetworkError.self) {
        try await withoutDescriptors { _ = try await CurlTransport.libraryVersion() }
      }
      let version = try await CurlTransport.libraryVersion()
      #expect(version.contains("libcurl/"))
    }
  }

  @Test("to wait ends its transfers with an error")
  func polling() async {
    await #expect(processExitsWith: .success) {
      let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))
      let (heads, isThere) = AsyncStream.makeStream(of: Void.self)
      let server = try DiscardingServer {
        isThere.finish()
        pause()
      }
      let call = Task { try await transport.answer(Request(url: server.url)) }
      for await _ in heads {}
      // poll(2) fails if there are more descriptors than the process may have.
      try await withoutDescriptors {
        await #expect(throws: NetworkError.self) {
          try await transport.answer(Request(url: "http://127.0.0.1:9/"))
        }
        let error = await #expect(throws: NetworkError.self) { _ = try await call.value }
        #expect(error?.transportFailure?.reason == .other)
        #expect(error?.message.contains("libcurl can't go on") == true)
      }
      let again = try DiscardingServer()
      let answer = try await transport.answer(Request(url: again.url))
      #expect(answer.status == 200)
    }
  }
}

private func withoutDescriptors(_ body: () async throws -> Void) async throws {
  var limit = rlimit()
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  #expect(getrlimit(resource, &limit) == 0)
  var none = limit
  none.rlim_cur = 0
  #expect(setrlimit(resource, &none) == 0)
  defer { setrlimit(resource, &limit) }
  try await body()
}
