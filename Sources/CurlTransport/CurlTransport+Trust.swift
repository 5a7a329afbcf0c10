public import HTTPTargets
internal import HTTPTypes
internal import PlatformModules

extension CurlTransport {
  /// A version of TLS.
  public enum TLSVersion: String, Sendable, Hashable, Codable {
    /// TLS 1.2 ([RFC 5246](https://www.rfc-editor.org/rfc/rfc5246)).
    case tls12
    /// TLS 1.3 ([RFC 8446](https://www.rfc-editor.org/rfc/rfc8446)).
    case tls13
  }

  /// The SHA-256 of a server's public key, which a connection must present.
  ///
  /// Pin the next key too. Otherwise a new key on the server locks out every client. This command prints the pin of a
  /// certificate:
  ///
  /// ```sh
  /// openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der |
  ///   openssl dgst -sha256 -binary | base64
  /// ```
  public struct PublicKeyPin: Sendable, Hashable, Codable, CustomStringConvertible {
    let digest: String

    /// Reads a pin; the result is nil if the text isn't a pin.
    ///
    /// - Parameter digest: The SHA-256 in base64, 44 characters.
    public init?(sha256 digest: String) {
      guard Data(base64Encoded: digest)?.count == 32 else { return nil }
      self.digest = digest
    }

    /// The SHA-256 in base64.
    public var description: String { digest }

    /// Decodes a pin from its text.
    public init(from decoder: any Decoder) throws {
      self = try decoder.decodeText(PublicKeyPin.init(sha256:))
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
      try encoder.encodeText(self)
    }
  }

  /// A certificate that identifies the client to a server, with its key, both in PEM form.
  public struct ClientCertificate: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The path of the certificate. In the file, the certificates of its authorities follow.
    public var file: String
    /// The path of the key.
    public var keyFile: String
    let password: String

    /// Creates a certificate. Its files are read with each new connection.
    ///
    /// - Parameters:
    ///   - file: The path of the certificate.
    ///   - keyFile: The path of its key; nil if it is in the same file.
    ///   - password: The password of the key's file; nil if it isn't encrypted.
    public init(file: String, keyFile: String? = nil, password: String? = nil) {
      self.file = file
      self.keyFile = keyFile ?? file
      self.password = password ?? ""
    }

    /// The path of the certificate.
    public var description: String { "the client certificate “\(file)”" }

    /// Shows only ``description``, because the password is a secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
  }

  /// A user's name and password for a server.
  public struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The authentication scheme.
    public enum Scheme: String, Sendable, Codable {
      /// Sends the credentials unencrypted with each request ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)). It
      /// works only over TLS, or to this machine.
      case basic
      /// Responds to the server's challenge without sending the password ([RFC
      /// 7616](https://www.rfc-editor.org/rfc/rfc7616)). The first request is sent without its body.
      case digest
    }

    /// The authentication scheme.
    public let scheme: Scheme
    /// The user's name.
    public let user: String
    let password: String

    /// Creates credentials.
    ///
    /// - Throws: ``/HTTPTargets/NetworkError/Code/requestMapping`` if the name contains a colon, or if the name or the
    ///   password contains a control character. A server couldn't distinguish these from a separator.
    public init(_ scheme: Scheme, user: String, password: String) throws(NetworkError) {
      guard !user.utf8.contains(UInt8(ascii: ":")) else {
        throw NetworkError(.requestMapping, "the user's name contains a colon, which would end it")
      }
      guard (user + password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw NetworkError(
          .requestMapping, "the user's name or password contains a control character"
        )
      }
      self.scheme = scheme
      self.user = user
      self.password = password
    }

    /// The scheme and the user's name.
    public var description: String { "\(scheme.rawValue) credentials of “\(user)”" }

    /// Shows only ``description``, because the password is a secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
  }
}

extension CurlTransport.Configuration {
  /// The credentials for a request; nil if there are none, or if the request has its own `Authorization`.
  func credentials(for request: TargetRequest, to origin: Origin) -> CurlTransport.Credentials? {
    credentials.isEmpty || request.headers.contains(.authorization) ? nil : credentials[origin]
  }

  /// The reason that requests to an origin can't meet this configuration's requirements; nil if they can.
  func problem(with origin: Origin) -> String? {
    if credentials[origin]?.scheme == .basic, !origin.isTrustworthy {
      return "its password would be sent unencrypted"
    }
    if pinnedKeys[origin]?.isEmpty == true { return "none of its keys is pinned" }
    if origin.scheme != "https", pinnedKeys[origin] != nil || clientCertificates[origin] != nil {
      return "keys and certificates need https"
    }
    return nil
  }
}
