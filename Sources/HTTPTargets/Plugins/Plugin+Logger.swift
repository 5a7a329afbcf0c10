internal import HTTPTypes
public import Logging
internal import PlatformModules

extension Plugin {
  /// Logs requests and responses, without their secrets.
  ///
  /// Each request and each response is one line at the level `debug`. At the level `trace`, the header fields follow,
  /// and then the body or the curl command if requested. Values with secret names are masked at every level, even in
  /// bodies: JSON members, form fields, query items of URLs, and parts of multipart forms. ``Redaction`` lists these names.
  /// Don't log bodies that contain a secret under another name.
  ///
  /// - Parameters:
  ///   - logger: The logger that receives the lines. Its type belongs to
  ///     [swift-log](https://github.com/apple/swift-log): `import Logging`.
  ///   - bodyLimit: The maximum number of bytes of a body to log. The remaining bytes are only counted. With zero,
  ///     bodies aren't logged. Streams, downloads, files and binary bodies are never logged.
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
  /// Logs one message per line, so that a line of a body can't look like another message.
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
    if rest > 0 { trace("\(mark) … and \(rest) more bytes") }
  }
}

extension Duration {
  fileprivate var milliseconds: String {
    let (whole, hundredths) = Int((self / .microseconds(10)).rounded())
      .quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths) ms"
  }
}
