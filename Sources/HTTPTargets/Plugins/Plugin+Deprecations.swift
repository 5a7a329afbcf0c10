internal import ConcurrencyPrimitives
internal import HTTPTypes
public import Logging

extension Plugin {
  /// Creates a plugin that logs once per server that the server will stop accepting requests in their present form.
  ///
  /// Servers announce this in every response with `Deprecation` ([RFC 9745](https://www.rfc-editor.org/rfc/rfc9745)),
  /// and the date, if they know it, with `Sunset` ([RFC 8594](https://www.rfc-editor.org/rfc/rfc8594)).
  ///
  /// - Parameter logger: The destination of the notice.
  /// - Returns: The plugin. Providers with the same plugin log a server once.
  public static func deprecations(logger: Logger) -> Plugin {
    let servers = Locked<Set<Origin>>([])
    return Plugin(didReceive: { result, _ in
      guard case .success(let response) = result,
        let deprecation = response.headers[.deprecation], let origin = response.request.origin,
        servers.withLock({ $0.insert(origin).inserted })
      else { return }
      func line(_ value: String) -> String {
        Redaction.hiding(
          secretsOf: response.request, in: String(value.unicodeScalars.prefix(100)))
      }
      let end = response.headers[.sunset].map { ", and ends on \(line($0))" } ?? ""
      logger.notice("\(origin): the requested resource is deprecated (\(line(deprecation)))\(end)")
    })
  }
}

extension HTTPField.Name {
  fileprivate static var deprecation: HTTPField.Name? { HTTPField.Name("Deprecation") }
  fileprivate static var sunset: HTTPField.Name? { HTTPField.Name("Sunset") }
}

extension HTTPFields {
  fileprivate subscript(name: HTTPField.Name?) -> String? { name.flatMap { self[$0] } }
}
