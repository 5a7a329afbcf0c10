import AsyncHTTPClient

/// Does with AsyncHTTPClient what `curl-transport-throughput` does with this package.
///
///     async-http-client-throughput URL COUNT IN-FLIGHT CONNECTIONS
@main
struct AsyncHTTPClientThroughput {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    guard arguments.count == 4, numbers.count == 3 else {
      throw Failure(
        description: "usage: async-http-client-throughput URL COUNT IN-FLIGHT CONNECTIONS")
    }
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = numbers[2]
    let client = HTTPClient(configuration: configuration)
    try await get(arguments[0], count: numbers[0], inFlight: numbers[1], through: client)
    try await client.shutdown()
  }

  private static func get(
    _ url: String, count: Int, inFlight: Int, through client: HTTPClient
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<inFlight {
        group.addTask {
          for _ in stride(from: worker, to: count, by: inFlight) {
            let response = try await client.execute(
              HTTPClientRequest(url: url), timeout: .seconds(300))
            let body = try await response.body.collect(upTo: 1 << 20)
            guard response.status == .ok, body.readableBytes > 0 else {
              throw Failure(description: "status \(response.status)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
