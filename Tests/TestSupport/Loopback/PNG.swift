public import PlatformModules

/// Makes PNG images without a compression library.
public enum PNG {
  /// A black image.
  public static func image(width: Int, height: Int) -> Data {
    image(claiming: (width, height), pixels: Data(count: (width + 7) / 8 * height + height))
  }

  /// An image whose header has another size than its pixels.
  public static func image(claiming size: (width: Int, height: Int), pixels: Data) -> Data {
    var header = Data()
    header.append(bigEndian: size.width)
    header.append(bigEndian: size.height)
    // A bit for each pixel, in shades of grey.
    header += [1, 0, 0, 0, 0]
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + chunk("IHDR", header)
      + chunk("IDAT", compressed(pixels)) + chunk("IEND", Data())
  }

  private static func chunk(_ name: String, _ content: Data) -> Data {
    var chunk = Data()
    chunk.append(bigEndian: content.count)
    let checked = Data(name.utf8) + content
    chunk += checked
    chunk.append(bigEndian: Int(Gzip.checksum(checked)))
    return chunk
  }

  /// In the zlib format (RFC 1950).
  private static func compressed(_ data: Data) -> Data {
    var (low, high) = (1, 0)
    for byte in data {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    var file = Data([0x78, 0x01]) + Gzip.storedBlocks(data)
    file.append(bigEndian: high << 16 | low)
    return file
  }
}

extension Data {
  fileprivate mutating func append(bigEndian number: Int) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
