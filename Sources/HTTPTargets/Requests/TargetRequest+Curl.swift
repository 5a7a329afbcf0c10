internal import HTTPTypes
internal import PlatformModules

extension TargetRequest {
  /// Returns the request as a [curl](https://curl.se/docs/manpage.html) command for a shell.
  ///
  /// The command sends the same method, target, fields and body, and doesn't follow redirects. Text is part of the
  /// command. Other bytes are piped into the command in Base64, and files are specified by their paths. A stream is
  /// replaced by standard input.
  ///
  /// - Parameter revealsSecrets: Whether to include credentials. Otherwise, values that ``Redaction`` considers secret
  ///   are masked in fields, in the URL and in text, and must be filled in before the command works.
  /// - Returns: The command, on one line unless the body has several lines.
  public func curlCommand(revealingSecrets revealsSecrets: Bool = false) -> String {
    // These options keep the URL unchanged. By default, curl treats brackets as patterns and resolves dot segments.
    var words = ["curl", "--globoff", "--path-as-is"]
    // These methods announce an empty body (RFC 9110, section 8.6).
    let body = body ?? ([.post, .put, .patch].contains(method) ? RequestBody(Data()) : nil)
    switch (method, body) {
    case (.head, _): words.append("--head")
    case (.get, nil), (.post, _): break
    default: words += ["--request", method.rawValue]
    }
    for field in headers {
      let value = revealsSecrets ? field.value : Redaction.value(of: field)
      // An empty field needs a semicolon (curl's manual, `--header`).
      words += ["--header", value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"]
    }
    var source = ""
    if let body {
      // Otherwise curl would send the content type of a form.
      if headers[.contentType] == nil { words += ["--header", "Content-Type:"] }
      if let text = body.text(of: self, revealingSecrets: revealsSecrets) {
        words += ["--data-raw", text]
      } else {
        let pieces = body.segments.map { segment in
          segment.shellCommand { revealsSecrets ? $0 : Redaction.piece($0, of: self) }
        }
        source = "{ \(pieces.joined(separator: "; ")); } | "
        words += ["--data-binary", "@-"]
      }
    }
    words.append(revealsSecrets ? url : Redaction.url(url))
    return source + words.map(\.shellWord).joined(separator: " ")
  }
}

extension RequestBody {
  fileprivate func text(of request: TargetRequest, revealingSecrets revealsSecrets: Bool) -> String?
  {
    guard let data, !data.contains(0) else { return nil }
    return revealsSecrets
      ? String(validating: data, as: UTF8.self) : Redaction.body(data, of: request)
  }
}

extension RequestBody.Segment {
  fileprivate func shellCommand(showing shown: (Data) -> Data) -> String {
    switch self {
    case .bytes(let data): "printf %s \(shown(data).base64EncodedString()) | base64 -d"
    case .file(let path, let size): "head -c \(size) \(path.shellWord)"
    case .stream: "cat"
    }
  }
}

extension String {
  /// The text as one word for a POSIX shell.
  fileprivate var shellWord: String {
    let plain = "%+,-./:=@_"
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || plain.unicodeScalars.contains(scalar)
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
