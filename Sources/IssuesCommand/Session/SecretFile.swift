internal import PlatformModules

/// A file with a secret, such as a private key.
enum SecretFile {
  /// The maximum size in bytes. A private key of 8,192 bits has about 6,500.
  private static let mostBytes = 16_384

  /// Reads the text of a file, which others on this machine mustn't be able to read or write.
  ///
  /// - Throws: A failure that names the variable with the path.
  static func text(at path: String, from variable: String) throws(CommandFailure) -> String {
    func failure(_ problem: String, _ advice: String = "") -> CommandFailure {
      CommandFailure(
        .badCredentials,
        "the file in \(variable), “\(path)”, \(problem)"
          + (advice.isEmpty ? "" : "\n\(advice)"))
    }
    // Nonblocking, because opening a pipe would wait for a writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw failure(unsafe "can't be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("isn't a regular file")
    }
    // The credentials of systemd are readable for the group root: these bits stand for the list of users who may read.
    let open: mode_t = status.st_gid == 0 ? 0o037 : 0o077
    guard status.st_mode & open == 0 else {
      throw failure("can be read or changed by others on this machine", "Run 'chmod 600' on it.")
    }
    var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0, count <= mostBytes else {
      throw failure(count == 0 ? "is empty" : count < 0 ? "can't be read" : "is too large")
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// The secret in a variable, or in the file that another variable names; nil if neither is set.
  static func text(
    in variable: String, orFileIn fileVariable: String, _ environment: [String: String]
  ) throws(CommandFailure) -> String? {
    let value = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    guard let path = environment[fileVariable], !path.isEmpty else { return value }
    guard value == nil else {
      throw CommandFailure(
        .badCredentials, "\(variable) and \(fileVariable) are both set: unset one of them")
    }
    return try text(at: path, from: fileVariable)
  }
}
