internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the bytes of an unfinished download are the beginning of: kept beside them.
struct DownloadRecord: Codable, Equatable, Sendable {
  /// Where it was asked for, without secrets: it is written to the disk.
  let url: String
  /// What `If-Range` sends: an entity tag, or a date.
  let validator: String
  /// The length of the whole in bytes; nil when the server didn't say.
  let total: Int?

  /// The record of an answer that begins at the first byte; nil if it can't be gone on with.
  ///
  /// That takes a validator that changes with every byte
  /// ([RFC 9110, section 13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5)): a strong entity
  /// tag; or, where there is no tag at all, a time of change that was past when the answer was made.
  init?(_ response: Response, url: String) {
    guard response.status == .ok, response.headers[.acceptRanges]?.lowercased() != "none" else {
      return nil
    }
    if let tag = response.headers[.eTag] {
      guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
      validator = tag
    } else {
      guard let changed = response.headers[.lastModified],
        let changeDate = HTTPDate.date(from: changed),
        let date = response.serverDate,
        // Within the same second the file may have changed once more (section 8.8.2.2).
        date.timeIntervalSince(changeDate) >= 1
      else { return nil }
      validator = changed
    }
    self.url = url
    total = response.contentLength
  }

  /// Whether a part of some version is a part of this one, as far as its head says.
  func matches(_ headers: HTTPFields) -> Bool {
    guard validator.hasPrefix("\"") else {
      return headers[.lastModified].map { $0 == validator } ?? true
    }
    return headers[.eTag].map { $0 == validator } ?? true
  }
}

extension Response {
  /// The length that the head announces, in bytes of the body as it is sent.
  var contentLength: Int? { headers[.contentLength].flatMap { Int(digits: $0) } }

  /// The length that the body will have when it is read; nil when the head doesn't tell.
  var expectedSize: Int? { headers[.contentEncoding] == nil ? contentLength : nil }
}
