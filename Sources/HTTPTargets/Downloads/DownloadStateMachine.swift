internal import HTTPTypes
internal import PlatformModules

/// Decides how a download is resumed (RFC 9110, section 14).
struct DownloadStateMachine: Sendable {
  enum Action: Equatable {
    /// The body is the rest of a file with this total length.
    case append(offset: Int, total: Int)
    /// The body is the whole file, and replaces the existing bytes.
    case startAnew(total: Int?)
    /// The body isn't the requested part. Drop the existing bytes, and request the whole file.
    case askAgain
    /// The body can't be the file, and another request wouldn't change that.
    case refuse(String)
  }

  private enum State {
    case idle
    case whole
    case rest(from: Int)
  }

  private let url: String
  private let isResuming: Bool
  private var state = State.idle
  /// The version of the existing bytes; nil if unknown.
  private(set) var record: DownloadRecord?

  init(url: String, isResuming: Bool, record: DownloadRecord?) {
    self.url = Redaction.url(url)
    self.isResuming = isResuming
    self.record = isResuming && record?.url == self.url ? record : nil
  }

  mutating func request(_ request: TargetRequest, size: Int) -> TargetRequest {
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

  /// Returns the next action; nil if the body doesn't belong in the file. A target that accepts a 200 also accepts the
  /// 206 that this machine requests.
  mutating func receive(_ response: TargetResponse, validation: Validation) -> Action? {
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
    // The target requested this part itself.
    if response.request.asksForPart, !isRest { return .startAnew(total: response.contentLength) }
    guard case .rest(let offset) = state, let record else {
      return .refuse("the server sent a part, although the whole file was requested")
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

extension TargetRequest {
  fileprivate var asksForPart: Bool {
    headers.contains(.range) || headers.contains(.ifRange)
  }
}

/// The version of a partial download, stored in a file next to it.
struct DownloadRecord: Codable, Equatable, Sendable {
  /// The URL without secrets, because it is written to disk.
  let url: String
  /// An entity tag or a date.
  let validator: String
  let total: Int?

  /// Nil if the download can't be resumed. That requires a strong entity tag, or a modification time that was in the
  /// past at the time of the response (RFC 9110, section 13.1.5).
  init?(_ response: TargetResponse, url: String) {
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
        // The file may change again within the same second (section 8.8.2.2).
        date.timeIntervalSince(changeDate) >= 1
      else { return nil }
      validator = changed
    }
    self.url = url
    total = response.contentLength
  }

  func matches(_ headers: HTTPFields) -> Bool {
    guard validator.hasPrefix("\"") else {
      return headers[.lastModified].map { $0 == validator } ?? true
    }
    return headers[.eTag].map { $0 == validator } ?? true
  }
}

extension TargetResponse {
  /// The length in bytes before decompression.
  var contentLength: Int? { headers[.contentLength].flatMap { Int(digits: $0) } }

  /// The length in bytes after decompression; nil if unknown.
  var expectedSize: Int? { headers[.contentEncoding] == nil ? contentLength : nil }
}

/// The part of a file in a 206 (RFC 9110, section 14.4).
struct ContentRange: Equatable {
  let first: Int
  let last: Int
  let total: Int

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
  /// Reads a number with digits only: `Int` alone would accept `+1`.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text) else {
      return nil
    }
    self = number
  }
}
