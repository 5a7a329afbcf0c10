internal import HTTPTypes

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
