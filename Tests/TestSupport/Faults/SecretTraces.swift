public import PlatformModules

/// The forms that a secret can take in some bytes.
public struct SecretTraces: Sendable {
  private let forms: [(name: String, bytes: Data)]

  /// Looks for a secret, or for a part that is as good as the whole.
  ///
  /// - Parameter secret: At least eight letters and digits, which percent-encoding leaves as they are.
  public init(_ secret: String) {
    let hex = secret.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    forms =
      [
        ("as it is", Data(secret.utf8)), ("backwards", Data(secret.utf8.reversed())),
        ("hexadecimal", Data(hex.utf8)), ("hexadecimal", Data(hex.uppercased().utf8)),
      ]
      // Base64 writes three bytes in four letters, in three ways that depend on the bytes before. The outer letters
      // have bits of the neighbours.
      + (0..<3).map { offset in
        let padded = String(repeating: "x", count: offset) + secret
        let first = [0, 2, 3][offset]
        let whole = padded.utf8.count * 8 / 6
        return (
          "base64", Data(Base64.encode(padded).utf8.dropFirst(first).prefix(whole - first))
        )
      }
  }

  /// The forms in which the secret occurs in `data`.
  public func found(in data: Data) -> [String] {
    forms.filter { data.firstRange(of: $0.bytes) != nil }.map(\.name)
  }
}
