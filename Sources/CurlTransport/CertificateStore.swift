internal import PlatformModules

/// The certificate authorities to trust.
public struct CertificateStore: Sendable, Hashable {
  /// A file of certificates in PEM form; nil for libcurl's default.
  public var file: String?
  /// A folder of certificates, named by their hashes; nil for libcurl's default.
  public var directory: String?

  /// Creates a store.
  public init(file: String? = nil, directory: String? = nil) {
    self.file = file
    self.directory = directory
  }

  /// The variables that can name a certificate file. The first one that is set is used.
  public static let variables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]

  /// The variable to set to make a certificate file take effect.
  public static func variable(in environment: [String: String]) -> String {
    environment[variables[0], default: ""].isEmpty ? variables[1] : variables[0]
  }

  /// The store that the process's environment names. As in the `curl` command, this is `CURL_CA_BUNDLE`, or else
  /// `SSL_CERT_DIR` and `SSL_CERT_FILE`. libcurl itself ignores these variables ([curl's
  /// manual](https://curl.se/docs/manpage.html#--cacert)).
  public static func environment() -> CertificateStore {
    named(by: { unsafe getenv($0).map { unsafe String(cString: $0) } })
  }

  /// The store that the given environment names.
  public static func environment(_ environment: [String: String]) -> CertificateStore {
    named(by: { environment[$0] })
  }

  private static func named(by variable: (String) -> String?) -> CertificateStore {
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let bundle = value(variables[0]) { return CertificateStore(file: bundle) }
    return CertificateStore(file: value(variables[1]), directory: value("SSL_CERT_DIR"))
  }
}
