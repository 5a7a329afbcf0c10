/// A version of TLS, by its number on the wire.
public enum TLSVersion: Int32, Sendable, CaseIterable {
  /// TLS 1.0, of 1999.
  case tls10 = 0x301
  /// TLS 1.1, of 2006.
  case tls11 = 0x302
  /// TLS 1.2, of 2008.
  case tls12 = 0x303
  /// TLS 1.3, of 2018.
  case tls13 = 0x304
}
