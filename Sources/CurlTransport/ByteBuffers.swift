/// The memory of earlier heads and bodies, for later ones. The oldest comes first: by then nobody reads it any more. If
/// somebody does, ``take()`` leaves it to them and allocates anew.
///
/// The curl thread collects bytes in it, and whoever reads the response makes values of them. Otherwise one thread would
/// allocate pieces of memory that another one frees, and both would wait for the allocator's lock.
struct ByteBuffers {
  /// A huge head or body is rare, and its memory too.
  static let maximumSize = 4096

  private var buffers = [[UInt8]](repeating: [], count: 64)
  private var oldest = 0
  private var newest = 0

  /// Returns an empty buffer.
  mutating func take() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &buffers[oldest])
    oldest = (oldest + 1) % buffers.count
    taken.removeAll(keepingCapacity: true)
    return taken
  }

  /// Nobody changes the bytes any more.
  mutating func keep(_ kept: [UInt8]) {
    guard kept.count <= Self.maximumSize else { return }
    buffers[newest] = kept
    newest = (newest + 1) % buffers.count
  }

  /// Returns a copy; nil if there are too many.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard bytes.count <= Self.maximumSize else { return nil }
    var copy = take()
    unsafe copy.append(contentsOf: bytes)
    keep(copy)
    return copy
  }
}
