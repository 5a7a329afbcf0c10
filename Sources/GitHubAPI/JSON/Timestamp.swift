internal import HTTPTargets
package import PlatformModules

/// Dates in RFC 3339, written in whole seconds and UTC, as GitHub's `since` requires. `Date.ISO8601FormatStyle` takes
/// twelve times as long, which is a tenth of the time to decode a page of issues.
package enum Timestamp {
  package static func date(from text: String) -> Date? {
    var text = text
    let seconds = text.withUTF8 { unsafe secondsSince1970(UnsafeRawBufferPointer($0)) }
    return seconds.map(Date.init(timeIntervalSince1970:))
  }

  package static func secondsSince1970(_ bytes: UnsafeRawBufferPointer) -> Double? {
    var reader = unsafe Reader(bytes: bytes)
    return reader.secondsSince1970()
  }

  package static func date(fromDayOrTime text: String) -> Date? {
    date(from: text.contains("T") ? text : "\(text)T00:00:00Z")
  }

  package static func dayOrTime(from date: Date) -> String {
    let time = string(from: date)
    return time.hasSuffix("T00:00:00Z") ? String(time.prefix { $0 != "T" }) : time
  }

  /// The value of `since`; nil up to and including the first second of 1970, because for that second api.github.com
  /// returns an empty list instead of all items.
  static func since(_ date: Date) -> String? {
    date.timeIntervalSince1970 < 1 ? nil : string(from: date)
  }

  /// Returns a date as text, rounded down, because a `since` rounded up would miss changes within the second. RFC 3339
  /// can represent only the years 0 to 9999, so other times become the nearest valid time.
  package static func string(from date: Date) -> String {
    let earliest = -62_167_219_200.0  // 0000-01-01T00:00:00Z
    let latest = 253_402_300_799.0  // 9999-12-31T23:59:59Z
    let interval = date.timeIntervalSince1970
    let seconds = Int(interval > earliest ? min(interval, latest).rounded(.down) : earliest)
    let (days, time) = CivilDay.floorDivide(seconds, by: 86_400)
    let civil = CivilDay(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    append(civil.year, width: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(civil.month, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(civil.day, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(time / 3_600, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(time / 60 % 60, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(time % 60, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ number: Int, width: Int, to bytes: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}

/// Parses `full-date "T" full-time` (RFC 3339, section 5.6).
// @safe: it is used only during the call that provides the bytes, and compares every index with their count.
@safe
private struct Reader {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  init(bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
  }

  mutating func secondsSince1970() -> Double? {
    guard
      let year = digits(4), skip("-"),
      let month = digits(2), skip("-"),
      let day = digits(2), let civil = CivilDay(year: year, month: month, day: day),
      skip("T") || skip("t") || skip(" "),
      let hour = digits(2), hour < 24, skip(":"),
      let minute = digits(2), minute < 60, skip(":"),
      let second = digits(2), second <= 60,  // 60 is a leap second
      let fraction = fraction(),
      let offset = offset(),
      unsafe position == bytes.count
    else { return nil }
    let time = hour * 3_600 + minute * 60 + second - offset
    return Double(civil.daysSince1970 * 86_400 + time) + fraction
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard unsafe position < bytes.count, unsafe bytes[position] == UInt8(ascii: character) else {
      return false
    }
    position += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard unsafe position < bytes.count, case 0x30...0x39 = unsafe bytes[position] else {
      return nil
    }
    position += 1
    return unsafe Int(bytes[position - 1] - 0x30)
  }

  private mutating func digits(_ count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Reads a fraction of a second: 0 if there is none; nil for a point without digits.
  private mutating func fraction() -> Double? {
    guard skip(".") else { return 0 }
    guard let first = digit() else { return nil }
    var number = first
    var divisor = 10.0
    while let digit = digit() {
      // Digits beyond nanoseconds are ignored.
      guard divisor < 1e9 else { continue }
      number = number * 10 + digit
      divisor *= 10
    }
    return Double(number) / divisor
  }

  private mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), hours < 24 else { return nil }
    _ = skip(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a count; nil if it is missing or impossible, because sums and differences of counts are computed without
  /// checks.
  func decodeCountIfPresent(forKey key: Key) throws -> Int? {
    try decodeIfPresent(Int.self, forKey: key).flatMap { (0...1 << 40).contains($0) ? $0 : nil }
  }

  /// Decodes a date from a string. A custom strategy of the decoder would be slower, and entities would decode only
  /// with such a decoder.
  func decodeTimestampIfPresent(forKey key: Key) throws -> Date? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let date = Timestamp.date(from: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "This is not an RFC 3339 time.")
    }
    return date
  }
}
