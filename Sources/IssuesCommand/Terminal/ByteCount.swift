/// Formats numbers of bytes for people: `512 bytes`, `1.2 KiB`, `50 MiB`.
enum ByteCount {
  static func text(_ bytes: Int) -> String {
    var unit = (name: "bytes", size: 1)
    for larger in [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)] where bytes >= larger.1 {
      unit = larger
    }
    guard unit.size > 1 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    let tenths = bytes * 10 / unit.size
    let (whole, tenth) = tenths.quotientAndRemainder(dividingBy: 10)
    return tenths < 100 && tenth > 0 ? "\(whole).\(tenth) \(unit.name)" : "\(whole) \(unit.name)"
  }
}
