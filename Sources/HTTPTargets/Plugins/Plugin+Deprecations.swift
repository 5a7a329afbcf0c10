internal import ConcurrencyPrimitives
internal import HTTPTypes
public import Logging

extension Plugin {
  /// Logs once per server that the server will stop accepting requests in their present form.
  ///
  /// Servers announce this in every response with `Deprecation` ([RFC 9745](https://www.rfc-editor.org/rfc/rfc9745)),
  /// and the date, if they know it, with `Sunset` ([RFC 8594](https://www.rfc-editor.org/rfc/rfc8594)).
  ///
  /// - Parameters:
  ///   - logger: The destination of the notice.
  ///   - servers: The servers that have already been logged.
  /// - Returns: The plugin.
  public static func deprecations(
    logger: Logger, servers: DeprecatedServers = .ofProcess
  ) -> Plugin {
    Plugin(didReceive: { result, _ in
      guard case .success(let response) = result,
        let deprecation = response.headers[.deprecation], let origin = response.request.origin,
        servers.insert(origin)
      else { return }
      func line(_ value: String) -> String {
        Redaction.hiding(
          secretsOf: response.request, in: String(value.unicodeScalars.prefix(100)))
      }
      let end = response.headers[.sunset].map { ", and ends on \(line($0))" } ?? ""
      logger.notice("\(origin): the requested resource is deprecated (\(line(deprecation)))\(end)")
    })
  }

  /// The servers whose deprecation has already been logged.
  public final class DeprecatedServers: Sendable {
    /// The servers logged in this process.
    public static let ofProcess = DeprecatedServers()

    private let known = Locked<Set<Origin>>([])

    /// Creates an empty set.
    public init() {}

    fileprivate func insert(_ origin: Origin) -> Bool {
      known.withLock { $0.insert(origin).inserted }
    }
  }
}

extension HTTPField.Name {
  fileprivate static var deprecation: HTTPField.Name? { HTTPField.Name("Deprecation") }
  fileprivate static var sunset: HTTPField.Name? { HTTPField.Name("Sunset") }
}

extension HTTPFields {
  fileprivate subscript(name: HTTPField.Name?) -> String? { name.flatMap { self[$0] } }
}
