import PlatformModules
import Testing

@testable import TestSupport

@Suite("Faults of the loopback server", .timeLimit(.minutes(5)))
struct LoopbackFaultTests {
  /// The bytes that a client reads until the end; nil when the connection is reset.
  private static func answer(
    with fault: LoopbackFault, to response: LoopbackResponse = .text("0123456789")
  ) async throws -> String? {
    try await withLoopbackServer { _ in
      fault.applied(to: response)
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      let data = try? await client.receiveAll()
      await client.close()
      return data.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(
    "a response breaks off at the given place",
    arguments: [
      (.beforeHead, "", ""), (.insideHead, "HTTP/1.1 200", "0123"),
      (.afterHead, "close\r\n\r\n", "0"), (.insideBody, "\r\n\r\n01234", "5"),
    ] as [(LoopbackResponse.Place, String, String)])
  func places(place: LoopbackResponse.Place, has: String, hasNot: String) async throws {
    let text = try #require(try await Self.answer(with: .closed(place)))
    #expect(text.contains(has) || has.isEmpty)
    #expect(hasNot.isEmpty ? text.isEmpty : !text.hasSuffix(hasNot))
    #expect(try await Self.answer(with: .reset(place)) == nil)
  }

  @Test("a response held by a gate continues at the same place")
  func gate() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      LoopbackFault.held(.insideBody, by: gate).applied(to: .text("0123456789"))
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      let first = try await client.receive { $0.hasSuffix("01234") }
      #expect(first.hasSuffix("\r\n\r\n01234"))
      gate.open()
      #expect(String(decoding: try await client.receiveAll(), as: UTF8.self) == "56789")
    }
  }

  @Test("a fault strikes at its place and the given number of times")
  func times() async throws {
    let whole: LoopbackServer.Handler = { _ in .text("whole") }
    let handler = LoopbackFault.body("broken").breaking(whole, times: 1) { $0.path == "/a" }
    var bodies: [String] = []
    for path in ["/b", "/a", "/a"] {
      let response = await handler(LoopbackRequest(method: "GET", target: path))
      bodies.append(String(decoding: response.body, as: UTF8.self))
    }
    #expect(bodies == ["whole", "broken", "whole"])
  }

  @Test("gzip data made without a library is valid", arguments: [0, 1, 65_535, 65_536, 200_000])
  func gzip(size: Int) async throws {
    let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    #expect(try await Self.lengthUnpacked(Gzip.stored(data)) == "\(size)\n0\n")
  }

  @Test("a small gzip bomb expands")
  func bomb() async throws {
    let packed = Gzip.bomb(50_000_000)
    #expect(packed.count < 50_000)
    // Its checksum is wrong, and so gzip isn't content at the end.
    let unpacked = try await Self.lengthUnpacked(packed)
    let length = try #require(unpacked.split(separator: "\n").first.flatMap { Int($0) })
    #expect((49_900_000...50_100_000).contains(length))
  }

  /// The unpacked length of a file, and gzip's exit status.
  private static func lengthUnpacked(_ file: Data) async throws -> String {
    let script = #"{ base64 -d | gzip -dc 2>/dev/null; echo $? >&2; } | wc -c"#
    let result = try await CommandRun.run(
      "/bin/bash", ["-o", "pipefail", "-c", script], input: file.base64EncodedString())
    return result.outputText.replacing(" ", with: "") + result.errorText
  }
}
