internal import HTTPTypes
public import Logging

extension Plugin {
  /// Logs requests and responses, without their secrets and bodies.
  ///
  /// Each request and each response takes one line at level `debug`; header fields follow at level `trace`.
  /// Values that ``Redaction`` considers secret are masked at every level.
  public static func logger(_ logger: Logger) -> Plugin {
    Plugin(
      willSend: { request, _ in
        logger.debug("> \(request)")
        for field in request.headers {
          logger.trace("> \(field.name): \(Redaction.value(of: field))")
        }
      },
      didReceive: { result, _ in
        switch result {
        case .success(let response):
          logger.debug("< \(response) in \(response.timings.total.milliseconds)")
          for field in response.headers {
            let value = Redaction.hiding(
              secretsOf: response.request, in: Redaction.value(of: field))
            logger.trace("< \(field.name): \(value)")
          }
        case .failure(let error):
          logger.debug("< \(error)")
        }
      })
  }
}

extension Duration {
  fileprivate var milliseconds: String {
    let (whole, hundredths) = Int((self / .microseconds(10)).rounded())
      .quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths) ms"
  }
}
