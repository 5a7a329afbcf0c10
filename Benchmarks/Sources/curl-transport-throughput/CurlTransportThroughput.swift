import CurlTransport
import HTTPTargets
import HTTPTypes

/// Gets one URL many times through `CurlTransport`, with a fixed number of requests in flight.
///
///     curl-transport-throughput URL COUNT IN-FLIGHT
///
/// It does nothing else and prints nothing, so that its process time compares with that of `curl` for the same work.
@main
struct CurlTransportThroughput {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    guard arguments.count == 3, let url = arguments.first, numbers.count == 2 else {
      throw Failure(description: "usage: curl-transport-throughput URL COUNT IN-FLIGHT")
    }
    try await get(url, count: numbers[0], inFlight: numbers[1])
  }

  private static func get(_ url: String, count: Int, inFlight: Int) async throws {
    var configuration = CurlTransport.Configuration()
    configuration.maximumConnectionsPerHost = inFlight
    let transport = CurlTransport(configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<inFlight {
        group.addTask {
          // Each worker has its share, so that distributing the work costs nothing.
          for _ in stride(from: worker, to: count, by: inFlight) {
            try await get(url, through: transport)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func get(_ url: String, through transport: CurlTransport) async throws {
    let reply = try await transport.send(Request(url: url))
    var size = 0
    for try await chunk in reply.body {
      size += chunk.count
    }
    guard reply.status.code == 200, size > 0 else {
      throw Failure(description: "status \(reply.status.code) with \(size) bytes")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
