import CCurl
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

@Suite("Libcurl failures", .timeLimit(.minutes(2)))
struct LibcurlFailureTests {
  @Test("the next request loads libcurl again after a failure to load it")
  func loading() async {
    await #expect(processExitsWith: .success) {
      withoutDescriptors { #expect(throws: NetworkError.self) { try CurlLibrary.load().get() } }
      #expect(dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD) == nil)
      let version = try await CurlTransport.libraryVersion()
      #expect(version.contains("libcurl/"))
    }
  }

  @Test("a failed wait of libcurl fails its transfers, and the next request is sent")
  func waiting() async throws {
    try await CurlLibrary.waitUntilLoaded()
    let multi = try CurlMulti(configuration: .init(certificates: CertificateStore()))
    try await withLoopbackServer { request in
      request.path == "/held" ? .stall : .text("")
    } perform: { server in
      let url = server.url
      let held = Task { await multi.head(of: try .get(url + "/held")) }
      _ = try await server.log.requests(count: 1)
      _ = await multi.turn(CURLM_INTERNAL_ERROR)
      let error = await #expect(throws: NetworkError.self) { _ = try await held.value.get() }
      #expect(error?.message.contains("libcurl can't continue") == true)
      #expect(error?.bytesSent ?? 0 > 0)
      let next = try await multi.head(of: .get(url)).get()
      #expect(next.status == .ok)
    }
  }
}

extension CurlMulti {
  fileprivate nonisolated func head(of submission: Submission) async -> Exchange.Head {
    await waitForHead(of: submission)
    return submission.exchange.takeHead()
  }
}

extension CurlMulti.Submission {
  fileprivate static func get(_ url: String) throws -> CurlMulti.Submission {
    CurlMulti.Submission(
      request: TargetRequest(url: url), origin: try #require(Origin(url: url)), priority: .medium,
      deadline: nil, onSent: nil)
  }
}

/// For synchronous work alone: libdispatch traps if it can't open a file.
private func withoutDescriptors(_ body: () -> Void) {
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
  body()
  #expect(setrlimit(resource, &limit) == 0)
}
