internal import CCrypto
internal import ConcurrencyPrimitives
internal import PlatformModules

/// OpenSSL's library of cryptography, which is loaded on first use.
struct SystemCrypto: Sendable {
  private static let problem = Locked<String??>(nil)

  /// Throws if the library can't be loaded.
  init() throws(CommandFailure) {
    // This holds the lock, because only one thread may load the library.
    let problem = Self.problem.withLock { problem -> String? in
      if case .some(.none) = problem { return nil }
      let found = unsafe ccrypto_load().map { unsafe String(cString: $0) }
      problem = .some(found)
      return found
    }
    guard let problem else { return }
    throw CommandFailure(
      .failed,
      "OpenSSL's library can't be loaded: \(problem)\nInstall libssl3 (Debian, Ubuntu) or openssl.")
  }

  /// The longest signature in bytes: that of a key of 16,384 bits.
  private static let longestSignature = 2_048

  /// The RS256 signature of a message; nil if the text isn't an RSA key in PEM form without a passphrase.
  func signature(of message: Data, key pem: String) -> Data? {
    var signature = [UInt8](repeating: 0, count: Self.longestSignature)
    let (pem, message) = (Array(pem.utf8), Array(message))
    let length = unsafe ccrypto_sign(
      pem, pem.count, message, message.count, &signature, signature.count)
    return length > 0 ? Data(signature.prefix(length)) : nil
  }

  /// Whether a code is the HMAC-SHA-256 of a message, compared in constant time.
  func isAuthentic(_ code: [UInt8], of message: Data, key: Data) -> Bool {
    guard code.count == Self.codeLength else { return false }
    let (key, message) = (Array(key), Array(message))
    return unsafe ccrypto_is_authentic(code, key, key.count, message, message.count) == 1
  }

  /// The length of a code in bytes.
  static let codeLength = 32
}
