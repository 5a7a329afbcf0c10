import CNcurses
import Dispatch
import PlatformModules
package import StyledText

/// The process's terminal as a screen. Only one can be open, because ncurses has one screen. All calls of ncurses are
/// on the main actor.
///
/// ``close()``, the end of the last reference, `exit(3)`, a signal and a crash restore the terminal (see signals.c).
/// `kill -9` and `_exit(2)` don't; run `reset` after them. While the terminal is open, it handles the signals that end
/// a process, and then calls the previous handlers. No other code should install handlers in the meantime.
@MainActor package final class Terminal: Screen {
  /// The maximum number of keys per turn of the main actor. More would delay drawing.
  private static let keysInATurn = 4096

  /// The time in milliseconds to wait for the rest of a response when the terminal is lent to another program.
  private static let patienceAtEnd: Int32 = 200

  private static var isOpen = false

  package private(set) var size: ScreenSize
  package let events: AsyncStream<InputEvent>

  /// The version of ncurses, such as `ncurses 6.4.20221231`.
  package nonisolated static var libraryVersion: String {
    unsafe String(cString: cncurses_version())
  }

  /// Whether the terminal supports UTF-8. If not, similar ASCII characters replace other characters.
  package let isUTF8: Bool

  private let continuation: AsyncStream<InputEvent>.Continuation
  /// The entry that is used because this system has none for the terminal; nil if it has.
  package let substituteEntry: String?

  private let entry: TerminalEntry
  private let color: ColorMode
  private let clipboard: TerminalClipboard
  private let hasLinks: Bool
  private let asksForImages: Bool
  private var decoder: InputDecoder
  private var writer: CanvasWriter
  private let keyboard: any DispatchSourceRead
  private let signals: any DispatchSourceRead
  private var isOpen = true
  private var isLent = false
  private var shown: Canvas?
  /// The state of images; nil unless the terminal has confirmed that it shows images.
  private var images: ImageWriting?
  private var isWritingImages = false
  /// The number of times that input has been read.
  private var reads = 0

  /// Opens the screen. With `hasLinks`, the terminal is known to support hyperlinks. With `hasImages`, the terminal is
  /// queried for image support.
  ///
  /// ``ColorMode/none`` keeps bold, faint, underlined and reversed text: [NO_COLOR](https://no-color.org) is about
  /// colors.
  package init(
    environment: [String: String], color: ColorMode, hasLinks: Bool = false,
    hasImages: Bool = false, tmuxRefusesCopies: Bool = false
  ) throws(TerminalFailure) {
    guard !Self.isOpen else { throw .alreadyOpen }
    guard cncurses_is_terminal() else { throw .notATerminal }
    DisplayWidth.prepare()
    entry = try TerminalEntry(term: environment["TERM"], color: color)
    self.color = color
    self.hasLinks = hasLinks
    asksForImages = hasImages && entry.answersImageQuestions(in: environment)
    clipboard = TerminalClipboard(environment: environment, tmuxRefuses: tmuxRefusesCopies)
    isUTF8 = unsafe cncurses_is_utf8(Self.locale(in: environment))
    let wakeUp = cncurses_catch_signals()
    guard wakeUp >= 0 else { throw .noDescriptor }
    do throws(TerminalFailure) {
      let name: String
      (writer, decoder, name) = try Self.open(
        entry, color: color, isUTF8: isUTF8, hasLinks: hasLinks)
      substituteEntry = entry.candidates.contains(name) ? nil : name
    } catch {
      cncurses_release_signals()
      throw error
    }
    Self.isOpen = true
    size = Self.windowSize
    (events, continuation) = AsyncStream.makeStream()
    keyboard = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
    signals = DispatchSource.makeReadSource(fileDescriptor: wakeUp, queue: .main)
    continuation.yield(.resized(size))
    ask()
    watch(keyboard) { $0.readKeys() }
    watch(signals) { $0.readSignals() }
  }

  isolated deinit {
    close()
  }

  /// The color mode: the requested one, or as much of it as the terminal supports.
  package var colorMode: ColorMode { writer.palette.mode }

  /// Whether the terminal shows struck text.
  package var strikesThrough: Bool { writer.features.strikesThrough }

  private var isInUse: Bool { isOpen && !isLent }

  package func show(_ canvas: Canvas) {
    guard isOpen, canvas != shown else { return }
    guard !isLent else {
      shown = canvas
      return
    }
    // ncurses clears the window first, including the images.
    if shown == nil { images?.forget() }
    writer.write(canvas, over: shown, within: size)
    let cursor = canvas.cursor.flatMap { place in
      place.column < size.columns && place.row < size.rows ? place : nil
    }
    cncurses_update(Int32(cursor?.column ?? -1), Int32(cursor?.row ?? 0))
    writer.writeOverlays(of: canvas, within: size)
    shown = canvas
    images?.show(canvas, within: size)
    writeImages()
  }

  package func repaint() {
    guard isInUse, let canvas = shown else { return }
    cncurses_fit_window()
    shown = nil
    show(canvas)
  }

  package func suspend() {
    guard isInUse else { return }
    dropAnswers()
    cncurses_close()
    cncurses_stop()
    reopen()
  }

  package func copy(_ text: String) -> CopyOutcome {
    guard isInUse else { return .unsupported }
    return clipboard.copy(text) { unsafe cncurses_write($0, $0.count) }
  }

  package func lend<Result: Sendable>(
    during work: @MainActor () async -> Result
  ) async -> Result {
    guard isInUse else { return await work() }
    dropAnswers()
    isLent = true
    keyboard.suspend()
    signals.suspend()
    cncurses_close()
    cncurses_lend_signals()
    let result = await work()
    isLent = false
    cncurses_reclaim_terminal()
    if isOpen { reopen() } else { cncurses_release_signals() }
    // A source must not be released while it is suspended, even if it is canceled.
    keyboard.resume()
    signals.resume()
    return result
  }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    Self.isOpen = false
    keyboard.cancel()
    signals.cancel()
    if !isLent {
      dropAnswers()
      cncurses_close()
      cncurses_release_signals()
    }
    continuation.finish()
  }

  /// The background, black or white, according to the variable that rxvt and others set (`15;0`, `0;default;15`); nil
  /// if the variable is missing or unclear.
  ///
  /// The variable may describe an outer terminal, so ``InputEvent/background(_:)`` takes precedence.
  package nonisolated static func likelyBackground(in environment: [String: String]) -> Color? {
    let numbers = environment["COLORFGBG", default: ""]
      .split(separator: ";", omittingEmptySubsequences: false)
    guard numbers.count > 1, let number = numbers.last.flatMap({ Int($0) }), 0..<16 ~= number else {
      return nil
    }
    // Color 7, gray, is light; color 8, bright black, is dark.
    return number < 7 || number == 8 ? .black : .white
  }

  private static func open(
    _ entry: TerminalEntry, color: ColorMode, isUTF8: Bool, hasLinks: Bool
  ) throws(TerminalFailure) -> (CanvasWriter, InputDecoder, entry: String) {
    var failure = TerminalFailure.dumb
    for name in entry.candidates + entry.substitutes {
      switch unsafe Int(cncurses_open(name, color > .none, hasLinks)) {
      case CNCURSES_OPENED:
        let palette = ScreenPalette(mode: color, count: Int(cncurses_colors()))
        let canRewrite = cncurses_can_rewrite()
        let features = TerminalFeatures(
          hasLinks: hasLinks && canRewrite, strikesThrough: canRewrite && cncurses_can_strike())
        let pasteEnd = unsafe Array(String(cString: cncurses_paste_end()).utf8)
        return (
          CanvasWriter(
            palette: palette, pairs: Int(cncurses_pairs()), isUTF8: isUTF8, features: features),
          InputDecoder(pasteEnd: pasteEnd), name
        )
      case CNCURSES_UNKNOWN_TYPE: failure = .unknown(entry.term)
      default: failure = .incapable(name)
      }
    }
    throw failure
  }

  private static var windowSize: ScreenSize {
    var (columns, rows): (Int32, Int32) = (0, 0)
    unsafe cncurses_window_size(&columns, &rows)
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// The value of the environment that determines the encoding (POSIX, 8.2 Internationalization Variables).
  private static func locale(in environment: [String: String]) -> String {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
  }

  private func watch(
    _ source: any DispatchSourceRead, _ action: @escaping @MainActor (Terminal) -> Void
  ) {
    source.setEventHandler { [weak self] in
      // The source uses the main queue.
      MainActor.assumeIsolated {
        if let self, self.isInUse { action(self) }
      }
    }
    source.activate()
  }

  // MARK: Keys

  private func readKeys() {
    reads += 1
    for _ in 0..<Self.keysInATurn {
      guard isInUse else { return }
      let input = nextInput()
      take(input)
      if input == .pause {
        if let patience = decoder.patience(at: .now) { awaitSilence(for: patience) }
        return checkForEnd()
      }
    }
    // ncurses may have buffered more input, which doesn't trigger the source.
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.readKeys() }
    }
  }

  private func awaitSilence(for patience: Duration) {
    let milliseconds = Int(patience / .milliseconds(1))
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      [weak self, reads] in
      MainActor.assumeIsolated {
        guard let self, self.isInUse, self.reads == reads else { return }
        self.take(.silence)
      }
    }
  }

  private func take(_ input: InputDecoder.Input) {
    let wasPasting = decoder.isPasting
    let events = decoder.take(input, at: .now)
    if decoder.isPasting != wasPasting { cncurses_recognize_keys(wasPasting) }
    for event in events { continuation.yield(event) }
    if decoder.drawsClusters, isUTF8, !writer.features.drawsClusters {
      writer.features.drawsClusters = true
      if let canvas = shown {
        shown = nil
        show(canvas)
      }
    }
    if decoder.showsImages, asksForImages, images == nil {
      cncurses_begin_images()
      images = ImageWriting()
      continuation.yield(.showsImages(Self.cellSize))
      if let canvas = shown { images?.show(canvas, within: size) }
      writeImages()
    }
  }

  /// Queries the terminal without waiting: responses arrive among the keys.
  private func ask() {
    guard entry.answersQuestions, cncurses_ask(writer.palette != .none, asksForImages) else {
      return
    }
    decoder.expectAnswers(at: .now)
  }

  // MARK: Images

  /// The maximum number of bytes per turn of the main actor. More would delay keys on a slow line.
  private static let imageBytesInATurn = 64 * 1024

  /// Writes the pending bytes of images.
  private func writeImages() {
    guard isInUse, !isWritingImages else { return }
    var count = 0
    while count < Self.imageBytesInATurn {
      switch images?.next() {
      case nil: return
      case .bytes(let bytes):
        count += bytes.count
        unsafe cncurses_write(bytes, bytes.count)
      case .bytesAt(let column, let row, let bytes):
        unsafe cncurses_write_at(Int32(column), Int32(row), bytes, bytes.count)
      }
    }
    isWritingImages = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        self?.isWritingImages = false
        self?.writeImages()
      }
    }
  }

  private static var cellSize: CellSize {
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe cncurses_cell_size(&width, &height)
    return CellSize(width: Int(width), height: Int(height)) ?? .usual
  }

  /// Reads responses that another program would interpret as keys.
  private func dropAnswers() {
    let deadline = ContinuousClock.now + .milliseconds(Int(Self.patienceAtEnd))
    while decoder.awaitsAnswer(at: .now), ContinuousClock.now < deadline {
      let input = nextInput()
      if input == .pause {
        guard cncurses_await_input(Self.patienceAtEnd) else { return }
      } else {
        _ = decoder.take(input, at: .now)
      }
    }
  }

  private func checkForEnd() {
    if cncurses_is_hung_up() {
      keyboard.cancel()
      continuation.finish()
    } else if !cncurses_is_foreground() {
      // A process that was continued in the background after SIGSTOP can't read.
      reopenInForeground()
    }
  }

  private func nextInput() -> InputDecoder.Input {
    let key = cncurses_read_key()
    return UInt8(exactly: key).map(InputDecoder.Input.byte) ?? Self.inputs[Int(key)] ?? .unknownKey
  }

  private static let inputs: [Int: InputDecoder.Input] = [
    CNCURSES_NO_KEY: .pause, CNCURSES_KEY_UP: .key(.up), CNCURSES_KEY_DOWN: .key(.down),
    CNCURSES_KEY_LEFT: .key(.left), CNCURSES_KEY_RIGHT: .key(.right),
    CNCURSES_KEY_HOME: .key(.home), CNCURSES_KEY_END: .key(.end),
    CNCURSES_KEY_PAGE_UP: .key(.pageUp), CNCURSES_KEY_PAGE_DOWN: .key(.pageDown),
    CNCURSES_KEY_BACK_TAB: .key(.backTab), CNCURSES_KEY_BACKSPACE: .key(.backspace),
    CNCURSES_KEY_DELETE: .key(.delete), CNCURSES_KEY_ENTER: .key(.enter),
    CNCURSES_KEY_HELP: .key(.help),
    CNCURSES_PASTE_START: .pasteStart, CNCURSES_MOUSE: .mouse, CNCURSES_X10_MOUSE: .legacyMouse,
  ]

  // MARK: Signals

  private func readSignals() {
    var hasResized = false
    var hasContinued = false
    var isToStop = false
    while case let number = cncurses_next_signal(), number != 0 {
      switch number {
      case SIGWINCH: hasResized = true
      case SIGCONT: hasContinued = true
      default: isToStop = true
      }
    }
    if isToStop {
      suspend()
    } else if hasContinued {
      reopenInForeground()
    } else if hasResized {
      cncurses_fit_window()
      noteSize()
    }
  }

  /// Sets up the terminal again after `SIGSTOP`, which can't be caught: any terminal state may have changed.
  private func reopenInForeground() {
    cncurses_await_foreground()
    cncurses_close()
    reopen()
  }

  private func reopen() {
    // Closing has deleted the images, and the terminal may now be a different one.
    images = nil
    do throws(TerminalFailure) {
      (writer, decoder, _) = try Self.open(
        entry, color: color, isUTF8: isUTF8, hasLinks: hasLinks)
    } catch {
      // The terminal could be opened before, so it is gone now.
      return close()
    }
    ask()
    let canvas = shown
    shown = nil
    noteSize()
    if let canvas { show(canvas) }
  }

  private func noteSize() {
    let newSize = Self.windowSize
    guard newSize != size else { return }
    size = newSize
    // Every row of the next canvas must be written.
    shown = nil
    continuation.yield(.resized(newSize))
    if images != nil { continuation.yield(.showsImages(Self.cellSize)) }
  }
}
