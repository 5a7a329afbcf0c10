#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The certificate authorities to trust.
public struct CertificateStore: Sendable, Hashable {
  /// A file of certificates in PEM form; nil for libcurl's own.
  public var file: String?
  /// A folder of certificates, named by their hashes; nil for libcurl's own.
  public var directory: String?

  /// Creates a store.
  public init(file: String? = nil, directory: String? = nil) {
    self.file = file
    self.directory = directory
  }

  /// The store that the environment names, by the rules of the `curl` command: `CURL_CA_BUNDLE`, else
  /// `SSL_CERT_DIR` and `SSL_CERT_FILE`. libcurl itself reads none of them
  /// ([curl's manual](https://curl.se/docs/manpage.html#--cacert)).
  public static func environment(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> CertificateStore {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let bundle = value("CURL_CA_BUNDLE") { return CertificateStore(file: bundle) }
    return CertificateStore(file: value("SSL_CERT_FILE"), directory: value("SSL_CERT_DIR"))
  }
}
