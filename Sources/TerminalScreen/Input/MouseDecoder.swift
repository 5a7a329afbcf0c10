/// Decodes xterm's [mouse reports](https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking), modes
/// 1000 and 1006, as clicks.
struct MouseDecoder: Sendable {
  static let doubleClickInterval = Duration.milliseconds(400)

  private struct Place: Hashable {
    var column: Int
    var row: Int
  }

  private enum Change {
    case pressed
    case released
  }

  /// The position at which the first button was pressed, until it is released.
  private var pressed: Place?
  private var last: (place: Place, time: ContinuousClock.Instant)?

  /// Decodes a report in the SGR encoding: `button;column;row`, then `M` or `m`. Returns nil for an unusable report.
  mutating func take(
    report: [UInt8], end: UInt8, at now: ContinuousClock.Instant
  ) -> InputEvent? {
    let numbers = report.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 3, let code = numbers[0], let column = numbers[1], let row = numbers[2],
      end == UInt8(ascii: "M") || end == UInt8(ascii: "m")
    else { return nil }
    return take(
      code, end == UInt8(ascii: "M") ? .pressed : .released, column: column, row: row, at: now)
  }

  /// Decodes a report in the X10 encoding: button, column and row, each plus 32. It doesn't identify the released
  /// button.
  mutating func take(legacy bytes: [UInt8], at now: ContinuousClock.Instant) -> InputEvent? {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let code = Int(bytes[0]) - 32
    let isRelease = code & 0b11 == 3 && code < 64
    return take(
      isRelease ? code & ~0b11 : code, isRelease ? .released : .pressed,
      column: Int(bytes[1]) - 32, row: Int(bytes[2]) - 32, at: now)
  }

  private mutating func take(
    _ code: Int, _ change: Change, column: Int, row: Int, at now: ContinuousClock.Instant
  ) -> InputEvent? {
    guard column > 0, row > 0 else { return nil }
    let place = Place(column: column - 1, row: row - 1)
    // The bits of Shift, Alt and Ctrl (4, 8 and 16) are ignored.
    switch (code & ~0b11100, change) {
    case (0, .pressed):
      pressed = place
      return nil
    case (0, .released):
      defer { pressed = nil }
      // If the button was released elsewhere, the user selected text or changed their mind.
      return pressed == place ? click(place, at: now) : nil
    case (64, .pressed): return .mouse(.wheelUp, column: place.column, row: place.row)
    case (65, .pressed): return .mouse(.wheelDown, column: place.column, row: place.row)
    default: return nil
    }
  }

  private mutating func click(_ place: Place, at now: ContinuousClock.Instant) -> InputEvent {
    if let last, last.place == place, now - last.time <= Self.doubleClickInterval {
      self.last = nil
      return .mouse(.doubleClick, column: place.column, row: place.row)
    }
    last = (place, now)
    return .mouse(.click, column: place.column, row: place.row)
  }
}
