/// What is wrong with a server's certificate.
public enum CertificateProblem: String, Sendable, Hashable {
  /// Its time is over.
  case expired
  /// Its time hasn't come.
  case notYetValid
  /// It is its own authority, or ends at one that isn't trusted.
  case selfSigned
  /// Its authority isn't among those that are trusted.
  case unknownAuthority
  /// It is for another host.
  case wrongHost
  /// Its authority has taken it back.
  case revoked
}
