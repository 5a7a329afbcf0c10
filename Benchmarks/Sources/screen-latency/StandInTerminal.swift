#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pseudo-terminal as standard input and output, whose other end is read and discarded.
enum StandInTerminal {
  struct Failure: Error {
    var errno: CInt
  }

  /// Replaces descriptors 0 and 1.
  ///
  /// - Returns: The old standard output.
  static func install(columns: UInt16, rows: UInt16) throws -> CInt {
    let output = dup(STDOUT_FILENO)
    #if canImport(Darwin)
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0 else {
        throw Failure(errno: errno)
      }
      let slave = unsafe open(ptsname(master), O_RDWR | O_NOCTTY)
    #else
      // As posix_openpt(3) and its companions do, which glibc hides from Swift.
      let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
      let getNumber: UInt = 0x8004_5430  // TIOCGPTN
      let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var locked: CInt = 0
      var number: CInt = 0
      guard master >= 0, unsafe ioctl(master, unlock, &locked) == 0,
        unsafe ioctl(master, getNumber, &number) == 0
      else { throw Failure(errno: errno) }
      let slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #endif
    // A screen waits until it has the terminal. A process that already leads a group, as an interactive shell's does,
    // can't get another terminal: run it with setsid(1).
    guard setsid() >= 0, ioctl(slave, UInt(TIOCSCTTY), 0) == 0 else { throw Failure(errno: errno) }
    guard slave >= 0, dup2(slave, STDIN_FILENO) >= 0, dup2(slave, STDOUT_FILENO) >= 0 else {
      throw Failure(errno: errno)
    }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
    var thread = pthread_t()
    let isStarted = unsafe pthread_create(
      &thread, nil,
      { argument in
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let master = CInt(Int(bitPattern: argument))
        while unsafe read(master, &buffer, buffer.count) > 0 {}
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(master)))
    guard isStarted == 0 else { throw Failure(errno: isStarted) }
    return output
  }
}
