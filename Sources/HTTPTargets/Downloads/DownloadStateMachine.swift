internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rules of resuming a download
/// ([RFC 9110, section 14](https://www.rfc-editor.org/rfc/rfc9110#section-14)), as a state machine.
struct DownloadStateMachine: Sendable {
  /// What to do with the body of an answer.
  enum Action: Equatable {
    /// It is the rest: append it, up to a total length.
    case append(offset: Int, total: Int)
    /// It is the whole: replace the bytes in the file.
    case startAnew(total: Int?)
    /// It isn't the requested part: drop the bytes in the file, and request the whole.
    case askAgain
    /// It can't be the file, and requesting it again wouldn't help.
    case refuse(String)
  }

  private enum State {
    /// Nothing has been requested.
    case idle
    /// The whole was requested.
    case whole
    /// The rest was requested, from an offset on.
    case rest(from: Int)
  }

  private let url: String
  private let isResuming: Bool
  private var state = State.idle
  /// The version that the bytes in the file belong to; nil if it is unknown.
  private(set) var record: DownloadRecord?

  /// Starts with the remains of an earlier call.
  ///
  /// - Parameters:
  ///   - url: The URL of the download.
  ///   - isResuming: Whether to resume at all.
  ///   - record: The record beside the partial file.
  init(url: String, isResuming: Bool, record: DownloadRecord?) {
    self.url = Redaction.url(url)
    self.isResuming = isResuming
    self.record = isResuming && record?.url == self.url ? record : nil
  }

  /// The request of an attempt, given the size of the partial file.
  mutating func request(_ request: Request, size: Int) -> Request {
    guard let record, size > 0, request.method == .get, !request.asksForPart else {
      state = .whole
      return request
    }
    state = .rest(from: size)
    var request = request
    request.headers[.range] = "bytes=\(size)-"
    request.headers[.ifRange] = record.validator
    return request
  }

  /// Interprets an answer that isn't a redirect.
  ///
  /// - Parameters:
  ///   - response: The head.
  ///   - validation: The target's. A target that accepts 200 also accepts 206, which only this machine asked
  ///     for.
  /// - Returns: What to do; nil if the body isn't for the file.
  mutating func receive(_ response: Response, validation: Validation) -> Action? {
    let isRest = if case .rest = state { true } else { false }
    let isPart = isRest && response.status == .partialContent
    let isValid = validation.accepts(isPart ? .ok : response.status)
    if isRest, response.status == .rangeNotSatisfiable {
      record = nil
      return .askAgain
    }
    guard isValid, (200..<300).contains(response.status.code) else { return nil }
    guard response.status == .partialContent else {
      record = isResuming ? DownloadRecord(response, url: url) : nil
      return .startAnew(total: response.contentLength)
    }
    // The target requested this part itself, and wants no more.
    if response.request.asksForPart, !isRest { return .startAnew(total: response.contentLength) }
    guard case .rest(let offset) = state, let record else {
      return .refuse("it sent a part, although the whole was requested")
    }
    let ranges = response.headers[values: .contentRange]
    guard ranges.count == 1, let range = ContentRange(ranges[0]), range.first == offset,
      range.last == range.total - 1, record.total ?? range.total == range.total,
      record.matches(response.headers)
    else {
      self.record = nil
      return .askAgain
    }
    return .append(offset: offset, total: range.total)
  }
}

extension Request {
  fileprivate var asksForPart: Bool {
    headers.contains(.range) || headers.contains(.ifRange)
  }
}

/// The version that a partial download belongs to, kept in a file beside it.
struct DownloadRecord: Codable, Equatable, Sendable {
  /// The URL, without secrets, because it is written to disk.
  let url: String
  /// The validator for `If-Range`: an entity tag, or a date.
  let validator: String
  /// The total length in bytes; nil if the server didn't announce it.
  let total: Int?

  /// Creates the record of a complete answer; nil if it can't be resumed.
  ///
  /// Resuming takes a validator that changes with every byte
  /// ([RFC 9110, section 13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5)): a strong entity tag,
  /// or, if there is no tag at all, a modification time that lay in the past when the answer was made.
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
        // Within the same second the file may have changed again (section 8.8.2.2).
        date.timeIntervalSince(changeDate) >= 1
      else { return nil }
      validator = changed
    }
    self.url = url
    total = response.contentLength
  }

  /// Whether a part belongs to this version, as far as its head says.
  func matches(_ headers: HTTPFields) -> Bool {
    guard validator.hasPrefix("\"") else {
      return headers[.lastModified].map { $0 == validator } ?? true
    }
    return headers[.eTag].map { $0 == validator } ?? true
  }
}

extension Response {
  /// The announced length, in bytes of the body as it is sent.
  var contentLength: Int? { headers[.contentLength].flatMap { Int(digits: $0) } }

  /// The length of the body after decompression; nil if the head doesn't announce it.
  var expectedSize: Int? { headers[.contentEncoding] == nil ? contentLength : nil }
}

/// The part of the whole that a 206 carries
/// ([RFC 9110, section 14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
struct ContentRange: Equatable {
  let first: Int
  let last: Int
  let total: Int

  /// Reads `bytes 100-199/200`; nil for anything else, including an unknown length.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, let total = Int(digits: sides[1]) else { return nil }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]),
      first <= last, last < total
    else { return nil }
    self.first = first
    self.last = last
    self.total = total
  }
}

extension Int {
  /// Reads a number of digits only: `Int` alone would accept `+1`.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text) else {
      return nil
    }
    self = number
  }
}
