#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes to file descriptors.
enum DescriptorWriter {
  /// Writes all of `bytes`, however many calls that takes, and waits where the descriptor is full.
  ///
  /// A descriptor may be non-blocking although nobody here made it so: the flag belongs to the open
  /// file, which other programs share.
  ///
  /// - Parameters:
  ///   - bytes: What to write.
  ///   - descriptor: Where to.
  /// - Returns: 0, or the `errno` of the write that failed.
  static func write(_ bytes: some Sequence<UInt8>, to descriptor: CInt) -> CInt {
    let contiguous = ContiguousArray(bytes)
    return contiguous.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count >= 0 {
          rest = rest.dropFirst(count)
          continue
        }
        let reason = errno
        if reason == EAGAIN || reason == EWOULDBLOCK {
          var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&query, 1, -1)
        } else if reason != EINTR {
          return reason
        }
      }
      return 0
    }
  }
}

/// `write(2)`, which the method's name would hide.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
