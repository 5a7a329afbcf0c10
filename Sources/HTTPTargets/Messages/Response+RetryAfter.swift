internal import HTTPTypes

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Response {
  /// The time at the server when it answered, by its own clock; nil where it doesn't say.
  package var serverDate: Date? { headers[.date].flatMap(HTTPDate.date(from:)) }

  /// How long the server asks to wait
  /// ([RFC 9110, section 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
  ///
  /// A date is measured against the answer's own `Date`, so that a clock that is wrong on either side
  /// doesn't matter. Of several fields the longest wait counts.
  ///
  /// - Parameter now: The local time, for an answer without a `Date`.
  /// - Returns: The wait, a year at most; nil where there is no `Retry-After` that can be understood.
  package func retryAfter(now: Date) -> Duration? {
    let serverNow = serverDate ?? now
    return headers[values: .retryAfter].compactMap { text in
      if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
        // More digits than a number holds are a long wait, not none.
        return .seconds(min(Int(text) ?? .max, Self.year))
      }
      return HTTPDate.date(from: text).map { date in
        .seconds(min(max(date.timeIntervalSince(serverNow), 0), Double(Self.year)))
      }
    }.max()
  }

  private static var year: Int { 366 * 86_400 }
}
