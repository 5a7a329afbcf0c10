import AsyncHTTPClient
import Foundation
import NIOCore

/// Does with AsyncHTTPClient what `curl-transport-throughput` does with this package.
///
///     async-http-client-throughput get|collect|put URL COUNT IN-FLIGHT CONNECTIONS [BYTES]
///
/// A certificate authority can be named by `SSL_CERT_FILE`. With the variable `HTTP2`, it uses HTTP/2 over TLS.
@main
struct AsyncHTTPClientThroughput {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }.filter { $0 > 0 }
    guard (5...6).contains(arguments.count), numbers.count == arguments.count - 2 else {
      throw Failure(
        description:
          "usage: async-http-client-throughput get|collect|put URL COUNT IN-FLIGHT CONNECTIONS [BYTES]"
      )
    }
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = numbers[2]
    let environment = ProcessInfo.processInfo.environment
    if environment["HTTP2"] == nil { configuration.httpVersion = .http1Only }
    if let file = environment["SSL_CERT_FILE"] {
      configuration.tlsConfiguration = .makeClientConfiguration()
      configuration.tlsConfiguration?.trustRoots = .file(file)
    }
    let client = HTTPClient(configuration: configuration)
    let upload = ByteBuffer(repeating: 7, count: numbers.count > 3 ? numbers[3] : 0)
    let (action, url) = (arguments[0], arguments[1])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<numbers[1] {
        group.addTask {
          for _ in stride(from: worker, to: numbers[0], by: numbers[1]) {
            try await call(action, url, upload, through: client)
          }
        }
      }
      try await group.waitForAll()
    }
    try await client.shutdown()
  }

  private static func call(
    _ action: String, _ url: String, _ upload: ByteBuffer, through client: HTTPClient
  ) async throws {
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "User-Agent", value: "throughput")
    if action == "put" {
      request.method = .PUT
      request.body = .bytes(upload)
    }
    let response = try await client.execute(request, timeout: .seconds(300))
    var size = 0
    if action == "get" {
      for try await part in response.body { size += part.readableBytes }
    } else {
      size = try await response.body.collect(upTo: 1 << 30).readableBytes
    }
    guard (200..<300).contains(response.status.code), action == "put" || size > 0 else {
      throw Failure(description: "status \(response.status) with \(size) bytes")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
