internal import HTTPTypes
public import Logging
internal import PlatformModules

extension Plugin {
  /// Logs requests and responses, without their secrets.
  ///
  /// Each request and each response takes one line at level `debug`; header fields follow at level `trace`, then bodies
  /// or the curl command if requested. Values that ``Redaction`` considers secret by their names are masked at every
  /// level, in bodies too: members of JSON, items of forms and of URLs, and parts of multipart forms. ``Redaction``
  /// lists the names. Don't log bodies that have a secret with another name.
  ///
  /// - Parameters:
  ///   - logger: Receives the lines. The type is of [swift-log](https://github.com/apple/swift-log): `import Logging`.
  ///   - bodyLimit: The most bytes of a body to log; the rest is counted. Zero logs no bodies. Streams, downloads,
  ///     files and bodies other than text aren't logged.
  ///   - logsCurl: Whether to log each request as a curl command: see ``TargetRequest/curlCommand(revealingSecrets:)``.
  /// - Returns: The plugin.
  public static func logger(
    _ logger: Logger, bodiesUpTo bodyLimit: Int = 0, asCurl logsCurl: Bool = false
  ) -> Plugin {
    Plugin(
      willSend: { request, _ in
        logger.debug("> \(request)")
        guard logger.logLevel <= .trace else { return }
        for field in request.headers {
          logger.trace("> \(field.name): \(Redaction.value(of: field))")
        }
        if let body = request.body, bodyLimit > 0 {
          let text = body.data.flatMap { Redaction.body($0, of: request) } ?? "(\(body))"
          logger.trace(text, marked: ">", upTo: bodyLimit)
        }
        if logsCurl { logger.trace("> \(request.curlCommand())") }
      },
      didReceive: { result, _ in
        switch result {
        case .success(let response):
          logger.debug("< \(response) in \(response.timings.total.milliseconds)")
          guard logger.logLevel <= .trace else { return }
          for field in response.headers {
            let value = Redaction.hiding(
              secretsOf: response.request, in: Redaction.value(of: field))
            logger.trace("< \(field.name): \(value)")
          }
          if !response.body.isEmpty, bodyLimit > 0 {
            let text = Redaction.body(response.body, of: response.request, isAnswer: true)
            logger.trace(text ?? "(\(response.body.count) bytes)", marked: "<", upTo: bodyLimit)
          }
        case .failure(let error):
          logger.debug("< \(error)")
        }
      })
  }
}

extension Logger {
  /// One message a line, so that no body can pretend to be another message.
  fileprivate func trace(_ text: String, marked mark: String, upTo limit: Int) {
    let rest = text.utf8.count - limit
    let shown = rest > 0 ? String(decoding: text.utf8.prefix(limit), as: UTF8.self) : text
    for line in shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let escaped = line.unicodeScalars.map { scalar in
        [.control, .format].contains(scalar.properties.generalCategory) && scalar != "\t"
          ? scalar.escaped(asASCII: true) : String(scalar)
      }
      trace("\(mark) \(escaped.joined())")
    }
    if rest > 0 { trace("\(mark) … and \(rest) bytes more") }
  }
}

extension Duration {
  fileprivate var milliseconds: String {
    let (whole, hundredths) = Int((self / .microseconds(10)).rounded())
      .quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths) ms"
  }
}
