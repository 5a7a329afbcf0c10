import CurlTransport
import HTTPTargets
import HTTPTypes

/// Gets one URL many times, with a fixed number of requests in flight, through `CurlTransport` alone or below a
/// `Provider`.
///
///     curl-transport-throughput URL COUNT IN-FLIGHT CONNECTIONS transport|provider
///
/// It does nothing else and prints nothing, so that its process time compares with that of `curl` and other clients
/// for the same work.
///
///     curl-transport-throughput queue COUNT transport|provider
///
/// Lets requests wait for a server that never answers, and cancels them. Prints the memory that they took in MB, and
/// how many milliseconds it took to cancel one of them, in the worst case, and all of them.
@main
struct CurlTransportThroughput {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.compactMap { Int($0) }.filter { $0 > 0 }
    guard let door = arguments.last.flatMap(Door.init(rawValue:)) else { throw Usage() }
    switch (arguments.count, numbers.count) {
    case (3, 1) where arguments[0] == "queue":
      try await QueuedRequests(count: numbers[0], door: door).measure()
    case (5, 3):
      try await get(
        door.client(to: arguments[0], connections: numbers[2]), count: numbers[0],
        inFlight: numbers[1])
    default: throw Usage()
    }
  }

  private static func get(
    _ client: @escaping Door.Client, count: Int, inFlight: Int
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<inFlight {
        group.addTask {
          // Each worker has its share, so that distributing the work costs nothing.
          for _ in stride(from: worker, to: count, by: inFlight) { try await client() }
        }
      }
      try await group.waitForAll()
    }
  }
}

struct Usage: Error, CustomStringConvertible {
  let description = """
    usage: curl-transport-throughput URL COUNT IN-FLIGHT CONNECTIONS transport|provider
           curl-transport-throughput queue COUNT transport|provider
    """
}

/// What requests go through.
enum Door: String {
  case transport, provider

  /// Gets the URL once, and throws unless the answer is a good one.
  typealias Client = @Sendable () async throws -> Void

  func client(to url: String, connections: Int) -> Client {
    var configuration = CurlTransport.Configuration()
    configuration.maximumConnectionsPerHost = connections
    let transport = CurlTransport(configuration: configuration)
    switch self {
    case .transport:
      return {
        let reply = try await transport.send(TargetRequest(url: url))
        var size = 0
        for try await chunk in reply.body { size += chunk.count }
        try check(reply.status, size)
      }
    case .provider:
      let provider = Provider<Page>(transport: transport)
      return {
        let response = try await provider.request(Page(baseURL: url))
        try check(response.status, response.body.count)
      }
    }
  }
}

private struct Page: TargetType {
  var baseURL: String
  var path: URLPath { "" }
  var method: HTTPRequest.Method { .get }
  var task: HTTPTask { .plain }
  var headers: HTTPFields { [:] }
  var policy: TargetPolicy { .standard }
}

private func check(_ status: HTTPResponse.Status, _ size: Int) throws {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
  guard status.code == 200, size > 0 else {
    throw Failure(description: "status \(status.code) with \(size) bytes")
  }
}
