internal import CTLS
internal import PlatformModules

/// A test's authority, with good and bad certificates from the `openssl` command. Its files are deleted with it.
public final class CertificateAuthority: Sendable {
  /// How a certificate is right or wrong.
  public enum Kind: String, Sendable, CaseIterable {
    /// For 127.0.0.1 and `localhost`, from this authority.
    case good
    /// Like ``good``, but expired yesterday.
    case expired
    /// Like ``good``, but its own authority.
    case selfSigned
    /// From this authority, for another host.
    case wrongHost
  }

  /// A certificate and its key.
  public struct Certificate: Sendable {
    /// The certificate's file, in PEM form.
    public var file: String
    /// The key's file, in PEM form.
    public var keyFile: String
  }

  /// The `openssl` command failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The arguments of the command, and its output.
    public var description: String
  }

  /// Why no TLS server can run here; nil if one can.
  public static let problem: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/openssl") })
    else { return "the openssl command isn't installed (Scripts/install-dependencies does that)" }
    return TLSLibrary.problem
  }()

  private let folder: String
  /// The authority's own certificate, for `SSL_CERT_FILE`.
  public let file: String

  /// Makes an authority with its own key.
  ///
  /// - Throws: ``Failure``, or the error of making its folder.
  public init() async throws {
    folder = try Self.makeFolder()
    file = "\(folder)/authority.pem"
    try Data(Self.configuration.utf8).write(to: URL(filePath: "\(folder)/openssl.cnf"))
    try await run(
      ["req", "-x509", "-extensions", "authority", "-days", "30"] + newKey("authority")
        + ["-subj", "/CN=Loopback Test Authority", "-out", file])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Makes a certificate.
  ///
  /// - Parameters:
  ///   - kind: How it is right or wrong.
  ///   - host: Another host that it names besides 127.0.0.1, unless it is for the wrong host.
  /// - Returns: Its files, which exist as long as this authority.
  /// - Throws: ``Failure``.
  public func certificate(
    _ kind: Kind, host: String = "localhost"
  ) async throws -> Certificate {
    let name = kind == .wrongHost ? "elsewhere.example" : host
    let result = Certificate(
      file: "\(folder)/\(kind)-\(host).pem", keyFile: "\(folder)/\(kind)-\(host).key")
    let addresses = kind == .wrongHost ? "" : ",IP:127.0.0.1"
    let extensions = "\(folder)/\(kind)-\(host).cnf"
    let text = "\(Self.configuration)\n[server]\nsubjectAltName = DNS:\(name)\(addresses)\n"
    try Data(text.utf8).write(to: URL(filePath: extensions))
    let key = newKey("\(kind)-\(host)")
    guard kind != .selfSigned else {
      try await run(
        ["req", "-x509", "-extensions", "server", "-days", "30"] + key
          + ["-subj", "/CN=\(name)", "-out", result.file], configuration: extensions)
      return result
    }
    let request = "\(folder)/\(kind)-\(host).csr"
    try await run(["req", "-new"] + key + ["-subj", "/CN=\(name)", "-out", request])
    // Minus one: it ends a day before it begins.
    try await run(
      [
        "x509", "-req", "-in", request, "-CA", file, "-CAkey", "\(folder)/authority.key",
        "-set_serial", "\(Int.random(in: 1...Int(Int32.max)))",
        "-days", kind == .expired ? "-1" : "30", "-extfile", extensions, "-extensions", "server",
        "-out", result.file,
      ], configuration: nil)
    return result
  }

  /// The SHA-256 of a certificate's public key, in base64.
  ///
  /// - Throws: ``Failure``.
  public func pin(of certificate: Certificate) async throws -> String {
    let name = "\(folder)/pin-\(UUID().uuidString)"
    try await run(
      ["x509", "-in", certificate.file, "-noout", "-pubkey", "-out", "\(name).pem"],
      configuration: nil)
    try await run(
      ["pkey", "-pubin", "-in", "\(name).pem", "-outform", "der", "-out", "\(name).der"],
      configuration: nil)
    try await run(
      ["dgst", "-sha256", "-binary", "-out", "\(name).digest", "\(name).der"], configuration: nil)
    return try Data(contentsOf: URL(filePath: "\(name).digest")).base64EncodedString()
  }

  /// The same certificate with its key behind a password.
  ///
  /// - Throws: ``Failure``.
  public func encrypted(
    _ certificate: Certificate, password: String
  ) async throws -> Certificate {
    let file = "\(folder)/encrypted-\(UUID().uuidString).key"
    try await run(
      [
        "pkey", "-in", certificate.keyFile, "-aes256", "-passout", "pass:\(password)", "-out", file,
      ], configuration: nil)
    return Certificate(file: certificate.file, keyFile: file)
  }

  private func newKey(_ name: String) -> [String] {
    [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
      "\(folder)/\(name).key",
    ]
  }

  private func run(_ arguments: [String]) async throws {
    try await run(arguments, configuration: "\(folder)/openssl.cnf")
  }

  private func run(_ arguments: [String], configuration: String?) async throws {
    let arguments = arguments + (configuration.map { ["-config", $0] } ?? [])
    let result = try await CommandRun.run("/usr/bin/env", ["openssl"] + arguments)
    guard result.status == .exited(0) else {
      throw Failure(description: "openssl \(arguments.joined(separator: " ")): \(result.errorText)")
    }
  }

  private static let configuration = """
    [req]
    distinguished_name = subject
    [subject]
    [authority]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    """

  private static func makeFolder() throws -> String {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    let folder = "\(parent)/issues-authority-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    return folder
  }
}

/// OpenSSL's libssl, loaded once.
enum TLSLibrary {
  /// Why it can't be used; nil if it can.
  static let problem: String? = ctls_load().map { "libssl can't be loaded: \(String(cString: $0))" }
}
