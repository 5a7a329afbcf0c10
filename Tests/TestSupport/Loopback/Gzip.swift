internal import PlatformModules

/// Makes gzip files (RFC 1952) without a compression library.
enum Gzip {
  /// The data in stored blocks (RFC 1951, section 3.2.4), slightly longer than before.
  static func stored(_ data: Data) -> Data {
    var file = header + storedBlocks(data)
    file.append(littleEndian: checksum(data))
    file.append(littleEndian: UInt32(truncatingIfNeeded: data.count))
    return file
  }

  static func storedBlocks(_ data: Data) -> Data {
    var file = Data()
    let blocks = stride(from: data.startIndex, to: data.endIndex, by: 65_535).map { start in
      data[start..<min(start + 65_535, data.endIndex)]
    }
    for (index, block) in (blocks.isEmpty ? [data[...]] : blocks).enumerated() {
      file.append(index + 1 >= blocks.count ? 1 : 0)
      file.append(littleEndian: UInt16(block.count))
      file.append(littleEndian: ~UInt16(block.count))
      file.append(block)
    }
    return file
  }

  /// A file that decodes to about `size` blanks, a thousand times its length.
  ///
  /// It is one block with its own code (RFC 1951, section 3.2.7), in which two zero bits mean “the 258 bytes from one
  /// byte ago”: a zero byte means four of those. The checksum at the end is wrong, since no client should read that
  /// far.
  static func bomb(_ size: Int) -> Data {
    var bits = BitWriter()
    bits.write(1, 1)  // the last block
    bits.write(2, 2)  // with a dynamic code
    bits.write(29, 5)  // of 286 literals and lengths,
    bits.write(0, 5)  // 1 distance,
    bits.write(14, 4)  // and 18 lengths of code lengths, in their order: 16, 17, 18, 0, 8, …, 15
    // Repeated zeros (18) have one bit, 0; code lengths 1 and 2 have two, 10 and 11.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.write(length, 3) }
    func zeros(_ count: Int) {
      bits.writeCode(0, 1)
      bits.write(count - 11, 7)
    }
    func one() { bits.writeCode(0b10, 2) }
    func two() { bits.writeCode(0b11, 2) }
    zeros(32)
    two()  // a blank: 10
    zeros(138)
    zeros(85)
    two()  // the end of the block: 11
    zeros(28)
    one()  // the length 258: 0
    one()  // the distance 1: 0
    bits.writeCode(0b10, 2)
    let isInsideMatch = bits.padWithMatches()

    var file = header
    file.append(contentsOf: bits.bytes)
    file.append(Data(count: size / (4 * 258)))
    file.append(isInsideMatch ? 0b110 : 0b11)  // the end of the block
    file.append(littleEndian: UInt32(0))
    file.append(littleEndian: UInt32(truncatingIfNeeded: size))
    return file
  }

  private static let header = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

  /// CRC-32 (RFC 1952, section 8).
  static func checksum(_ data: Data) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in data {
      sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
    }
    return ~sum
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }
}

/// Writes bits from the lowest of a byte to the highest.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 8

  private mutating func write(bit: Int) {
    if used == 8 {
      bytes.append(0)
      used = 0
    }
    bytes[bytes.count - 1] |= UInt8(bit) << UInt8(used)
    used += 1
  }

  /// Writes a number, lowest bit first.
  mutating func write(_ value: Int, _ count: Int) {
    for index in 0..<count { write(bit: value >> index & 1) }
  }

  /// Writes a Huffman code, highest bit first.
  mutating func writeCode(_ value: Int, _ count: Int) {
    for index in (0..<count).reversed() { write(bit: value >> index & 1) }
  }

  /// Fills the last byte with matches, which are pairs of zeros.
  ///
  /// - Returns: Whether the byte ends with half a match.
  mutating func padWithMatches() -> Bool {
    let isInsideMatch = !used.isMultiple(of: 2)
    used = 8
    return isInsideMatch
  }
}

extension Data {
  fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
