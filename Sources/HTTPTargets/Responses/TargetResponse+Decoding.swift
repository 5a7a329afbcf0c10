internal import HTTPTypes
public import PlatformModules

extension TargetResponse {
  /// Decodes the JSON body, or a part of it.
  ///
  /// Values aren't coerced: `1` isn't `true`, and `"123"` isn't a number. Invalid UTF-8 and escaped lone surrogates
  /// become replacement characters, so that one damaged title doesn't hide a whole page. Text in UTF-16 isn't parsed,
  /// nor is text with more than 256 nested levels, on which Foundation would crash. The number of values isn't limited;
  /// the size of the body is (``TargetRequest/maximumBodySize``).
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - keyPath: The names of the nested keys that lead to the part, joined by dots; empty for the whole body.
  ///   - decoder: A decoder configured for the API.
  ///   - allowsEmptyBody: Whether an empty body counts as an empty list or an empty object.
  /// - Returns: The value.
  /// - Throws: ``NetworkError/Code/decoding`` with the URL, the content type, and the response.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, at keyPath: String = "",
    using decoder: JSONDecoder = JSONDecoder(), allowsEmptyBody: Bool = false
  ) throws(NetworkError) -> Value {
    if body.isEmpty {
      if allowsEmptyBody {
        for empty in ["[]", "{}"] {
          if let value = try? decoder.decode(type, from: Data(empty.utf8)) { return value }
        }
      }
      throw undecodable("the body is empty\(truncationNote)", nil)
    }
    do {
      return try decoder.decode(type, fromServer: body, at: keyPath)
    } catch {
      throw undecodable(explain(error), error)
    }
  }

  private func undecodable(_ reason: String, _ underlying: (any Error)?) -> NetworkError {
    let contentType = headers[.contentType] ?? ""
    let kind = contentType.isEmpty ? "a body of no content type" : contentType
    var error = NetworkError(
      .decoding,
      "\(request) answered with \(kind) that can't be understood: \(reason)",
      response: self, underlying: underlying)
    error.attempts = attempts
    return error
  }

  package func explain(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let (context, problem): (DecodingError.Context, String)
    switch error {
    case .keyNotFound(let key, let found): (context, problem) = (found, "no “\(key.stringValue)”")
    case .typeMismatch(let type, let found):
      let value = Self.value(foundIn: found.debugDescription).map { ", found \($0)" }
      (context, problem) = (found, "expected \(Self.noun(type))\(value ?? "")")
    case .valueNotFound(let type, let found):
      (context, problem) = (found, "expected \(Self.noun(type)), found null")
    case .dataCorrupted(let found):
      let isNotJSON = found.codingPath.isEmpty && !(found.underlyingError is JSONProblem)
      (context, problem) = (found, isNotJSON ? "not JSON\(truncationNote)" : found.debugDescription)
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.place
    return path.isEmpty ? problem : "\(problem) at \(path)"
  }

  private static func noun(_ type: Any.Type) -> String {
    switch type {
    case is [String: Any].Type: "an object"
    case is [Any].Type: "an array"
    default: "\("AEIO".contains("\(type)".prefix(1)) ? "an" : "a") \(type)"
    }
  }

  /// The JSON value that Foundation found: “Expected to decode Int but found a string instead.” The error doesn't
  /// have it in another form.
  private static func value(foundIn description: String) -> String? {
    guard let start = description.firstRange(of: "but found ")?.upperBound,
      let end = description[start...].firstRange(of: " instead")?.lowerBound
    else { return nil }
    return switch description[start..<end] {
    case "a dictionary": "an object"
    case "number": "a number"
    case "bool": "a Boolean"
    case let value: String(value)
    }
  }

  /// A note about a possible truncation, because libcurl accepts a compressed body that ends early.
  private var truncationNote: String {
    headers[.contentEncoding].map { "; compressed as \($0), it may have been cut short" } ?? ""
  }
}

extension [any CodingKey] {
  /// The place of the error in the document, such as `[2].labels[0].name`; empty for the whole document.
  var place: String {
    map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
  }
}

extension TargetResponse {
  /// The error for a truncated body. libcurl accepts truncated `gzip` data if it has the announced length, but
  /// truncated JSON objects and arrays have unclosed brackets. The decoder checks other JSON, and libcurl checks
  /// uncompressed lengths.
  var truncation: NetworkError? {
    guard status.kind == .successful, status != .partialContent,
      let coding = headers[.contentEncoding], coding.lowercased() != "identity",
      headers.describeJSON,
      JSONBrackets.areClosed(in: body) == false
    else { return nil }
    var error = NetworkError.transport(
      TransportFailure(.interrupted, code: 0),
      "the response to \(request) is incomplete: its body, compressed as \(coding), was cut short")
    error.response = self
    return error
  }
}

extension HTTPFields {
  var describeJSON: Bool {
    let type = self[.contentType]?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    return type == "application/json" || type?.hasSuffix("+json") == true
  }
}
