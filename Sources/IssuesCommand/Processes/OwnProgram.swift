#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The program that this process runs.
enum OwnProgram {
  /// Its path; nil where the system doesn't tell.
  static var path: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      let count = buffer.firstIndex(of: 0) ?? 0
    #else
      let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    #endif
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Starts it once more, for work that nobody waits for.
  ///
  /// It reads and writes nothing, and stops for no Ctrl-C or Ctrl-Z: who started this process isn't kept waiting,
  /// be it by a pipe that stays open. Nobody has to reap it: this process is about to end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments. What they name has to call ``beginAlone(within:)``.
  ///   - environment: The environment, secrets included: it is the same program.
  static func startAlone(_ arguments: [String], environment: [String: String]) {
    guard let path else { return }
    // Where it can't be started, nothing is lost that anybody has been promised.
    _ = try? ChildProcess(
      [path] + arguments, environment: environment, input: .null, output: .null, error: .null,
      hasOwnGroup: true)
  }

  /// Prepares work that nobody waits for: closes what was open in who started it, and ends the process after so
  /// many seconds, whatever it is doing.
  static func beginAlone(within seconds: UInt32) {
    signal(SIGALRM, SIG_DFL)
    alarm(seconds)
    // A shell may have pipes of its own open, whose readers wait until nobody has them. That many descriptors
    // a shell has at most under its own control.
    for descriptor in CInt(3)..<256 where fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 {
      close(descriptor)
    }
  }
}
