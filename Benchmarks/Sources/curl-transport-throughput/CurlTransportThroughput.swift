import CurlTransport
import Foundation
import HTTPTargets
import HTTPTypes

/// Sends the same request many times, with a fixed number of requests in flight.
///
///     curl-transport-throughput transport|stream|collect|file|put URL COUNT IN-FLIGHT CONNECTIONS [BYTES]
///
/// `transport` reads the bodies in pieces through `CurlTransport` alone, `stream` and `collect` through a `Provider`,
/// and `file` downloads them. `put` sends this many bytes through a `Provider`. The program does nothing else and
/// prints nothing, so that its process time compares with that of other clients for the same work.
///
///     curl-transport-throughput queue COUNT transport|collect
///
/// Lets requests wait for a server that never answers, and cancels them. Prints the memory that they took in MB, and
/// how many milliseconds it took to cancel one of them, in the worst case, and all of them.
@main
struct CurlTransportThroughput {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.compactMap { Int($0) }.filter { $0 > 0 }
    switch (arguments.first, arguments.count, numbers.count) {
    case ("queue", 3, 1):
      guard let door = Door(rawValue: arguments[2]) else { throw Usage() }
      try await QueuedRequests(count: numbers[0], door: door).measure()
    case (_, 5, 3), (_, 6, 4):
      guard let door = arguments.first.flatMap(Door.init) else { throw Usage() }
      let client = door.client(
        to: arguments[1], connections: numbers[2], bytes: numbers.count > 3 ? numbers[3] : 0)
      try await call(client, count: numbers[0], inFlight: numbers[1])
    default: throw Usage()
    }
  }

  private static func call(
    _ client: @escaping Door.Client, count: Int, inFlight: Int
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<inFlight {
        group.addTask {
          // Each worker has its share, so that distributing the work costs nothing.
          for _ in stride(from: worker, to: count, by: inFlight) { try await client(worker) }
        }
      }
      try await group.waitForAll()
    }
  }
}

struct Usage: Error, CustomStringConvertible {
  let description = """
    usage: curl-transport-throughput transport|stream|collect|file|put URL COUNT IN-FLIGHT CONNECTIONS [BYTES]
           curl-transport-throughput queue COUNT transport|collect
    """
}

/// What requests go through.
enum Door: String {
  case transport, stream, collect, file, put

  /// Sends the request once, and throws unless the response is a good one. Takes the number of its worker.
  typealias Client = @Sendable (Int) async throws -> Void

  func client(to url: String, connections: Int, bytes: Int = 0) -> Client {
    var configuration = CurlTransport.Configuration()
    configuration.maximumConnectionsPerHost = connections
    let transport = CurlTransport(configuration: configuration)
    let provider = Provider<Resource>(
      endpointClosure: {
        var endpoint = try Endpoint($0)
        endpoint.maximumBodySize = .max
        return endpoint
      }, transport: transport)
    let resource = Resource(
      baseURL: url, upload: self == .put ? Data(repeating: 7, count: bytes) : nil)
    switch self {
    case .transport:
      return { _ in
        let reply = try await transport.send(TargetRequest(url: url, maximumBodySize: .max))
        try check(reply.status, try await size(of: reply.body))
      }
    case .stream:
      return { _ in
        let response = try await provider.stream(resource)
        try check(response.status, try await size(of: response.body))
      }
    case .collect, .put:
      return { _ in
        let response = try await provider.request(resource)
        try check(response.status, response.body.count + bytes)
      }
    case .file:
      return { worker in
        var resource = resource
        resource.file =
          FileManager.default.temporaryDirectory.appending(path: "download-\(worker)").path
        let response = try await provider.request(resource)
        try check(response.status, response.file?.count ?? 0)
      }
    }
  }
}

private struct Resource: TargetType {
  var baseURL: String
  var upload: Data?
  var file: String?
  var path: URLPath { "" }
  var method: HTTPRequest.Method { upload == nil ? .get : .put }
  var task: HTTPTask {
    if let file { return .download(to: file) }
    return upload.map { .data($0) } ?? .plain
  }
  // GitHub's servers refuse a request without one, and so does the simulated one.
  var headers: HTTPFields { [.userAgent: "throughput"] }
  var policy: TargetPolicy { .standard }
}

/// Reads a body in pieces.
private func size(of body: ResponseBody) async throws -> Int {
  var size = 0
  for try await chunk in body { size += chunk.count }
  return size
}

private func check(_ status: HTTPResponse.Status, _ size: Int) throws {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
  guard (200..<300).contains(status.code), size > 0 else {
    throw Failure(description: "status \(status.code) with \(size) bytes")
  }
}
