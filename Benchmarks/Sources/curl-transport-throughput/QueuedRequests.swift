import CurlTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Requests that wait for a server that never answers.
struct QueuedRequests {
  var count: Int
  var door: Door

  private static let connections = 8

  func measure() async throws {
    // Loads libcurl, starts its thread, and lets the connections hang, so that the rest is the queue.
    let client = door.client(to: try silentServer(), connections: Self.connections)
    let hanging = (0..<Self.connections).map { number in Task { try await client(number) } }
    try await Task.sleep(for: .milliseconds(500))
    let before = try residentMemory()
    let queued = (0..<count).map { number in Task { try await client(number) } }
    try await Task.sleep(for: .seconds(2))
    let memory = try residentMemory() - before

    let clock = ContinuousClock()
    var longest = Duration.zero
    for call in stride(from: 0, to: count, by: max(count / 100, 1)).map({ queued[$0] }) {
      let duration = await clock.measure {
        call.cancel()
        _ = await call.result
      }
      longest = max(longest, duration)
    }
    let all = await clock.measure {
      for call in queued { call.cancel() }
      for call in queued { _ = await call.result }
    }
    for call in hanging { call.cancel() }
    print(Double(memory) / 1e6, longest / .milliseconds(1), all / .milliseconds(1))
  }

  /// A listening socket that nobody accepts from: the system completes connections, and answers no request.
  private func silentServer() throws -> String {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw Failure(description: "no port to listen on") }
    return "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
  }

  /// In bytes, from Linux's [statm](https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html).
  private func residentMemory() throws -> Int {
    let file = try Data(contentsOf: URL(filePath: "/proc/self/statm"))
    let fields = String(decoding: file, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
      throw Failure(description: "no memory in /proc/self/statm")
    }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
