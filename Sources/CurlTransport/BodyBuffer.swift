internal import ConcurrencyPrimitives
internal import PlatformModules

/// Unread bytes of a body, in memory that is used again for the next ones.
///
/// The C library returns freed memory of this size to the system, and getting new pages takes longer than copying the
/// bytes.
struct BodyBuffer: Sendable {
  /// One part from libcurl beyond the mark at which a transfer pauses.
  static let capacity = ExchangeStateMachine.highWaterMark + 16 << 10
  private static let maximumUnused = 8
  private static let unused = Locked<[Memory]>([])

  // @safe: the object owns the memory.
  // Safe to share: its only buffer appends before it hands the bytes over, and they don't change afterward.
  @safe private final class Memory: @unchecked Sendable {
    let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)

    deinit { unsafe start.deallocate() }
  }

  private let memory = unused.withLock { $0.popLast() } ?? Memory()
  private(set) var count = 0

  /// Appends bytes; false if they don't fit.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= Self.capacity - count else { return false }
    if let start = bytes.baseAddress {
      unsafe (memory.start + count).copyMemory(from: start, byteCount: bytes.count)
    }
    count += bytes.count
    return true
  }

  /// Hands the bytes over. Their memory is used again when the last copy of them is released.
  consuming func data() -> Data {
    let memory = memory
    return unsafe Data(
      bytesNoCopy: memory.start, count: count,
      deallocator: .custom { _, _ in
        Self.unused.withLock { if $0.count < Self.maximumUnused { $0.append(memory) } }
      })
  }
}
