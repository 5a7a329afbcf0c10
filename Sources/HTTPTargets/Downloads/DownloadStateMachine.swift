internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rules of going on with a download
/// ([RFC 9110, section 14](https://www.rfc-editor.org/rfc/rfc9110#section-14)), as a state machine.
struct DownloadStateMachine: Sendable {
  /// What to do with the body of an answer.
  enum Action: Equatable {
    /// It is the rest: write it behind the bytes that are there, up to a length.
    case append(offset: Int, total: Int)
    /// It is the whole: write it in place of the bytes that are there.
    case startAnew(total: Int?)
    /// It isn't what was asked for: drop the bytes that are there, and ask for the whole.
    case askAgain
    /// It can't be the file, and asking again would change nothing.
    case refuse(String)
  }

  private enum State {
    /// Nothing was asked for yet.
    case idle
    /// The whole was asked for.
    case whole
    /// The rest was asked for, from a place on.
    case rest(from: Int)
  }

  private let url: String
  private let isResuming: Bool
  private var state = State.idle
  /// What the bytes that are there are the beginning of; nil if that isn't known.
  private(set) var record: DownloadRecord?

  /// Starts with what an earlier call left behind.
  ///
  /// - Parameters:
  ///   - url: Where the download is asked for.
  ///   - isResuming: Whether to go on with anything.
  ///   - record: What was found beside the bytes that are there.
  init(url: String, isResuming: Bool, record: DownloadRecord?) {
    self.url = Redaction.url(url)
    self.isResuming = isResuming
    self.record = isResuming && record?.url == self.url ? record : nil
  }

  /// The request of an attempt, when so many bytes are there.
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

  /// What an answer means that isn't a redirect.
  ///
  /// - Parameters:
  ///   - response: The head.
  ///   - validation: Which answers the target takes. Who takes a 200 takes its parts, too, which only
  ///     this asked for.
  /// - Returns: What to do; nil when the body isn't for the file.
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
    // A part that the target itself asked for is all that it wants.
    if response.request.asksForPart, !isRest { return .startAnew(total: response.contentLength) }
    guard case .rest(let offset) = state, let record else {
      return .refuse("it sends a part although the whole was asked for")
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
  /// Whether it asks for a part of what is there.
  fileprivate var asksForPart: Bool {
    headers.contains(.range) || headers.contains(.ifRange)
  }
}

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

/// Which part of a whole a 206 carries
/// ([RFC 9110, section 14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
struct ContentRange: Equatable {
  let first: Int
  let last: Int
  /// The length of the whole.
  let total: Int

  /// Reads `bytes 100-199/200`; nil for anything else, an unknown length included.
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
  /// Reads a number that is nothing but digits: `Int` alone would read `+1` as well.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text) else {
      return nil
    }
    self = number
  }
}
