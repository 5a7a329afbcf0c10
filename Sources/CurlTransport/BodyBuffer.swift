internal import ConcurrencyPrimitives
internal import PlatformModules

/// Memory for unread bytes of a body, which is used again for the next ones.
///
/// The C library returns freed memory of this size to the system, and getting new pages takes longer than copying the
/// bytes.
// Safe to share: only ``ExchangeStateMachine`` appends, until it hands the bytes over.
@safe
final class BodyBuffer: @unchecked Sendable {
  /// One part from libcurl beyond the mark at which a transfer pauses.
  static let capacity = ExchangeStateMachine.highWaterMark + 16 << 10
  private static let maximumFree = 8

  // Safe to share: each pointer is in one buffer or in this list.
  @safe
  private struct Free: @unchecked Sendable {
    var memory: [UnsafeMutableRawPointer] = unsafe []
  }

  private static let free = Locked(Free())

  private let memory: UnsafeMutableRawPointer
  private(set) var count = 0

  init() {
    let known = unsafe Self.free.withLock { unsafe $0.memory.popLast() }
    unsafe memory = known ?? .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit {
    let isKept = Self.free.withLock { free in
      guard unsafe free.memory.count < Self.maximumFree else { return false }
      unsafe free.memory.append(memory)
      return true
    }
    if !isKept { unsafe memory.deallocate() }
  }

  /// Appends bytes; false if they don't fit.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= Self.capacity - count else { return false }
    if let start = bytes.baseAddress {
      unsafe memory.advanced(by: count).copyMemory(from: start, byteCount: bytes.count)
    }
    count += bytes.count
    return true
  }

  /// The bytes, which keep this buffer. Nothing may be appended afterward.
  var data: Data {
    unsafe Data(
      bytesNoCopy: memory, count: count,
      deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }
}
