internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Loads an image in text. The request doesn't carry a token, regardless of the host.
struct ImageLoading: Sendable {
  /// The maximum size in bytes.
  static let limit = 5 << 20

  let source: BrowserSource
  let clock: any Clock<Duration>
  let emit: BrowserWork.Emit

  /// Loads an image once scrolling stops. An image that is only scrolled past isn't needed.
  func load(_ link: WebLink, for host: String?) async {
    guard let connection = try? await source.connection(to: host),
      let transport = connection.images, case let hosts = ImageHosts(of: connection.server),
      hosts.has(link.url)
    else { return await emit(.image(.foreign)) }
    guard (try? await clock.sleep(for: .milliseconds(300))) != nil else { return }
    let provider = Provider<AddressedImage>(
      endpointClosure: { target in
        var endpoint = try Endpoint(target)
        endpoint.maximumBodySize = Self.limit
        return endpoint
      },
      transport: OwnHostsTransport(hosts: hosts, base: transport), clock: clock)
    let response = try? await provider.request(AddressedImage(link))
    let image = response.flatMap { ScreenImage(png: Array($0.body)) }
    await emit(.image(image.map { .loaded($0) } ?? .failed))
  }
}

private struct AddressedImage: TargetType {
  let baseURL: String

  init(_ link: WebLink) {
    // A fragment is never sent. GitHub uses fragments to name the theme of an image.
    baseURL = String(link.url.unicodeScalars.prefix { $0 != "#" })
  }

  var path: URLPath { "" }
  var method: HTTPRequest.Method { .get }
  var task: HTTPTask { .plain }
  var headers: HTTPFields {
    [.accept: "image/png", .userAgent: PackageVersion.userAgent]
  }

  var policy: TargetPolicy { TargetPolicy(timeouts: Timeouts(total: .seconds(60))) }
}
