import Dispatch
import PlatformModules

/// A terminal without a screen: what a program writes to `slave` is read from `master`.
final class PseudoTerminal {
  struct Failure: Error {
    var errno: CInt
  }

  let master: CInt
  let slave: CInt

  init() throws {
    #if canImport(Darwin)
      master = posix_openpt(O_RDWR | O_NOCTTY)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0 else {
        throw Failure(errno: errno)
      }
      slave = open(ptsname(master), O_RDWR | O_NOCTTY)
    #else
      // posix_openpt and its companions, by the ioctls they are made of: glibc hides the functions.
      let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
      let getNumber: UInt = 0x8004_5430  // TIOCGPTN
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var locked: CInt = 0
      var number: CInt = 0
      guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, getNumber, &number) == 0
      else { throw Failure(errno: errno) }
      slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #endif
    guard slave >= 0 else { throw Failure(errno: errno) }
    // Without translation of newlines, so that tests see the very bytes.
    var settings = termios()
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
  }

  deinit {
    close(slave)
    close(master)
  }

  func resize(columns: UInt16) throws {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure(errno: errno) }
  }

  /// The unread output so far; doesn't wait.
  func read() -> String {
    String(decoding: readAvailable(from: master), as: UTF8.self)
  }

  /// Waits until something is written, and gives all that is there.
  func readNext() async -> String {
    let master = master
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue(label: "reading").async {
        var query = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        poll(&query, 1, 30_000)
        continuation.resume()
      }
    }
    return read()
  }
}

/// Reads what a descriptor holds at this moment.
func readAvailable(from descriptor: CInt) -> [UInt8] {
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while poll(&query, 1, 0) == 1, query.revents & Int16(POLLIN) != 0 {
    let count = readBytes(descriptor, &buffer, buffer.count)
    guard count > 0 else { break }
    result += buffer[..<count]
  }
  return result
}

/// `read(2)`, under a name that no method hides.
private func readBytes(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
