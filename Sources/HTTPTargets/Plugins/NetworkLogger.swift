internal import HTTPTypes
public import Logging

/// Logs requests and responses, without their secrets and bodies.
///
/// Each request and each response takes one line at level `debug`; header fields follow at level `trace`.
/// Values that ``Redaction`` considers secret are masked at every level.
public struct NetworkLogger: Plugin {
  let logger: Logger

  /// Creates the plugin.
  public init(logger: Logger) {
    self.logger = logger
  }

  /// Logs a request.
  public func willSend(_ request: Request, target: any TargetType) {
    logger.debug("> \(request)")
    for field in request.headers {
      logger.trace("> \(field.name): \(Redaction.value(of: field))")
    }
  }

  /// Logs the result of a request.
  public func didReceive(_ result: Result<Response, NetworkError>, target: any TargetType) {
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
  }
}

extension Duration {
  fileprivate var milliseconds: String {
    let (whole, hundredths) = Int((self / .microseconds(10)).rounded())
      .quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths) ms"
  }
}
