/// Decodes a terminal's input after ncurses has recognized its keys.
///
/// The remaining input consists of pastes, mouse reports, multibyte characters, which may arrive in pieces, responses,
/// and unknown sequences. Unknown sequences must not be interpreted as typing.
struct InputDecoder: Sendable {
  private enum State {
    case idle
    /// An Esc. It is a key by itself unless more input follows immediately.
    case escape
    /// An unknown control sequence (ECMA-48, CSI), with the parameters so far.
    case controlSequence([UInt8])
    /// A control string (ECMA-48, OSC and APC).
    case controlString(ControlString)
    /// An unknown SS3 sequence that lacks its last byte.
    case singleShift
    case character([UInt8])
    case mouse([UInt8])
    /// An unfinished mouse report of three bytes.
    case legacyMouse([UInt8])
    case paste(PasteBuffer)
  }

  private var state = State.idle
  private var mouse = MouseDecoder()
  private let pasteEnd: [UInt8]
  /// The time of the background query, until the terminal has responded or the query is too old.
  private var question: ContinuousClock.Instant?
  private var hasAnswered = false
  /// Whether the terminal has confirmed that it draws clusters as one character.
  private(set) var drawsClusters = false
  /// Whether the terminal has confirmed that it shows images.
  private(set) var showsImages = false

  init(pasteEnd: [UInt8]) {
    self.pasteEnd = pasteEnd
  }

  /// Whether a paste is being read. It doesn't contain keys.
  var isPasting: Bool {
    if case .paste = state { true } else { false }
  }

  /// The time to wait for more input. When it has passed, call ``take(_:at:)`` with ``Input/silence``.
  func patience(at now: ContinuousClock.Instant) -> Duration? {
    switch state {
    case .paste: Self.longestPauseInPaste
    case .controlString(let string) where !string.isEmpty: Self.longestPauseInPaste
    case .escape, .controlSequence, .controlString: awaitsAnswer(at: now) ? .milliseconds(100) : nil
    case .idle, .singleShift, .character, .mouse, .legacyMouse: nil
    }
  }

  /// The maximum pause in a paste. A terminal writes a paste without a pause, and even a slow line pauses for less.
  private static let longestPauseInPaste = Duration.seconds(2)

  // MARK: Responses

  /// The maximum time to wait for a color. A color that arrives later would change the screen while the user reads.
  private static let latestAnswer = Duration.seconds(2)

  /// Records that the terminal was queried for its background, and then for its attributes (DA1). Nearly every terminal
  /// responds to DA1, so that response shows that no response to the first query will follow.
  mutating func expectAnswers(at now: ContinuousClock.Instant) {
    question = now
    hasAnswered = false
  }

  /// Whether responses are still expected. Until then, an Esc may be the beginning of a response on a slow line.
  func awaitsAnswer(at now: ContinuousClock.Instant) -> Bool {
    guard let question, !hasAnswered else { return false }
    return now - question < .seconds(1)
  }

  private var isAfterEscape: Bool {
    if case .escape = state { true } else { false }
  }

  /// Returns the events that the input completes. The time distinguishes a double click from two clicks.
  mutating func take(_ input: Input, at now: ContinuousClock.Instant) -> [InputEvent] {
    switch input {
    case .byte(let byte): return take(byte, at: now)
    case .pause: return pause(at: now)
    case .silence: return silence()
    case .key(.backspace) where isAfterEscape:
      state = .idle
      return [.key(.deleteWordBackward)]
    case .key(let key): return interrupted() + [.key(key)]
    case .unknownKey: return interrupted()
    case .pasteStart: return interrupted(by: .paste(PasteBuffer(end: pasteEnd)))
    case .mouse: return interrupted(by: .mouse([]))
    case .legacyMouse: return interrupted(by: .legacyMouse([]))
    }
  }

  /// Drops an unfinished sequence. Only an Esc is a key by itself.
  private mutating func interrupted(by next: State = .idle) -> [InputEvent] {
    defer { state = next }
    return switch state {
    case .escape: [.key(.escape)]
    default: []
    }
  }

  private mutating func pause(at now: ContinuousClock.Instant) -> [InputEvent] {
    guard patience(at: now) == nil else { return [] }
    return switch state {
    case .escape, .controlSequence, .controlString, .singleShift: interrupted()
    // A slow line may pause inside these.
    case .idle, .character, .mouse, .legacyMouse, .paste: []
    }
  }

  private mutating func silence() -> [InputEvent] {
    guard case .paste(let buffer) = state else { return interrupted() }
    state = .idle
    return [.paste(buffer.text)]
  }

  private mutating func take(_ byte: UInt8, at now: ContinuousClock.Instant) -> [InputEvent] {
    switch state {
    case .idle:
      return begin(with: byte)
    case .escape:
      // Alt with a key: xterm and others send Esc and the key.
      if let key = Self.alternateKeys[byte] {
        state = .idle
        return [.key(key)]
      }
      switch byte {
      case UInt8(ascii: "["): state = .controlSequence([])
      case UInt8(ascii: "]"), UInt8(ascii: "_"):
        state = .controlString(ControlString(introducer: Character(Unicode.Scalar(byte))))
      case UInt8(ascii: "O"): state = .singleShift
      // Alt with another character has no effect: the user didn't press the key of a command. The bytes that continue a
      // character are dropped too.
      case 0x20...0x7E, 0x80...: state = .idle
      default:
        state = .idle
        return [.key(.escape)] + begin(with: byte)
      }
    case .controlSequence(let parameters):
      switch byte {
      case 0x20...0x3F: state = .controlSequence(Array((parameters + [byte]).prefix(16)))
      case 0x40...0x7E:
        state = .idle
        note(parameters, end: byte)
      default: return interrupted() + begin(with: byte)
      }
    case .controlString(var string):
      // The string is moved out of the state, so that a byte doesn't copy it.
      state = .idle
      switch string.append(byte) {
      case .unfinished: state = .controlString(string)
      case .finished: return answer(in: string, at: now)
      case .broken(let rest): return rest.flatMap { take($0, at: now) }
      }
    case .singleShift:
      state = .idle
    case .character(let bytes):
      return character(of: bytes + [byte])
    case .mouse(let bytes):
      return takeReport(bytes, byte, at: now)
    case .legacyMouse(let bytes):
      guard bytes.count == 2 else {
        state = .legacyMouse(bytes + [byte])
        break
      }
      state = .idle
      return mouse.take(legacy: bytes + [byte], at: now).map { [$0] } ?? []
    case .paste(var buffer):
      // The buffer is moved out of the state, so that a byte doesn't copy it.
      state = .idle
      guard buffer.append(byte) else { return [.paste(buffer.text)] }
      state = .paste(buffer)
    }
    return []
  }

  private mutating func note(_ parameters: [UInt8], end: UInt8) {
    switch (String(decoding: parameters, as: UTF8.self), end) {
    // The mode is set, temporarily or permanently.
    case ("?2027;1$", UInt8(ascii: "y")), ("?2027;3$", UInt8(ascii: "y")): drawsClusters = true
    case (let text, UInt8(ascii: "c")) where text.hasPrefix("?"): hasAnswered = true
    default: break
    }
  }

  private mutating func answer(
    in string: ControlString, at now: ContinuousClock.Instant
  ) -> [InputEvent] {
    guard let question, now - question <= Self.latestAnswer else { return [] }
    if string.confirmsImages { showsImages = true }
    return string.background.map { [.background($0)] } ?? []
  }

  /// The readline(3) keys that edit words.
  private static let alternateKeys: [UInt8: InputEvent.Key] = [
    UInt8(ascii: "b"): .wordLeft, UInt8(ascii: "f"): .wordRight,
    UInt8(ascii: "d"): .deleteWordForward, 0x08: .deleteWordBackward, 0x7F: .deleteWordBackward,
  ]

  private mutating func takeReport(
    _ bytes: [UInt8], _ byte: UInt8, at now: ContinuousClock.Instant
  ) -> [InputEvent] {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"):
      // Longer input isn't a mouse report.
      state = bytes.count < 32 ? .mouse(bytes + [byte]) : .controlSequence([])
      return []
    default:
      state = .idle
      return mouse.take(report: bytes, end: byte, at: now).map { [$0] } ?? []
    }
  }

  private mutating func begin(with byte: UInt8) -> [InputEvent] {
    switch byte {
    case 0x1B:
      state = .escape
      return []
    case 0x00, 0x1C...0x1F: return []
    case 0x03: return [.key(.interrupt)]
    case 0x08, 0x7F: return [.key(.backspace)]
    case 0x09: return [.key(.tab)]
    case 0x0A, 0x0D: return [.key(.enter)]
    case 0x01...0x1A: return [.key(.control(Character(Unicode.Scalar(byte | 0x60))))]
    case 0x20...0x7E: return [.key(.character(Character(Unicode.Scalar(byte))))]
    default: return character(of: [byte])
    }
  }

  private mutating func character(of bytes: [UInt8]) -> [InputEvent] {
    state = .idle
    let count =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard bytes.count == 1 || (0x80...0xBF).contains(bytes[bytes.count - 1]) else {
      // The byte isn't a continuation. The unfinished character is lost, but not this byte.
      return begin(with: bytes[bytes.count - 1])
    }
    guard bytes.count >= count else {
      state = .character(bytes)
      return []
    }
    guard count > 0, let text = String(validating: bytes, as: UTF8.self),
      let scalar = text.unicodeScalars.first, scalar.value > 0x9F
    else { return [] }
    return [.key(.character(Character(scalar)))]
  }
}

extension InputDecoder {
  /// The result of reading the next key from ncurses.
  enum Input: Sendable, Hashable {
    case byte(UInt8)

    /// A key in terminfo, or a key that xterm sends.
    case key(InputEvent.Key)

    case unknownKey

    case pasteStart

    /// The beginning of a mouse report in xterm's SGR encoding.
    case mouse

    /// The beginning of a mouse report in the X10 encoding.
    case legacyMouse

    case pause

    /// A pause so long that the end of a paste must have been lost.
    case silence
  }

  fileprivate struct PasteBuffer: Sendable {
    /// The maximum length in bytes. The rest is dropped: names and queries are short.
    static let limit = 64 * 1024

    private let end: [UInt8]
    private var bytes: [UInt8] = []
    private var matched = 0

    /// - Parameter end: The mark at the end of the paste. The first byte of the mark occurs in it only once.
    init(end: [UInt8]) {
      self.end = end
    }

    mutating func append(_ byte: UInt8) -> Bool {
      if matched < end.count, byte == end[matched] {
        matched += 1
        return matched < end.count
      }
      keep(end[..<matched])
      matched = byte == end.first ? 1 : 0
      if matched == 0 { keep([byte]) }
      return true
    }

    /// The pasted text, with line feeds instead of the carriage returns that terminals send.
    var text: String {
      String(decoding: bytes, as: UTF8.self)
        .split(separator: "\r\n", omittingEmptySubsequences: false)
        .joined(separator: "\n")
        .split(separator: "\r", omittingEmptySubsequences: false)
        .joined(separator: "\n")
    }

    private mutating func keep(_ more: some Collection<UInt8>) {
      bytes += more.prefix(Self.limit - bytes.count)
    }
  }
}
