internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Response {
  /// What it means that a compressed body was cut short; nil where nothing shows that it was.
  ///
  /// libcurl takes the end of the bytes for the end of a compressed body, wherever in it that is: a
  /// `gzip` without its end, of just the announced length, is a success to it. What is there of the text
  /// then shows the cut: of a JSON object or array every beginning but the whole has brackets that aren't
  /// closed, and no valid one has. JSON of other kinds, and a body of which nothing is left, are left to
  /// who decodes them. So is what wasn't compressed: of that the length was checked.
  var truncation: NetworkError? {
    guard status.kind == .successful, status != .partialContent, headers.describeJSON,
      let coding = headers[.contentEncoding], coding.lowercased() != "identity",
      JSONBrackets.areClosed(in: body) == false
    else { return nil }
    var error = NetworkError.transport(
      TransportFailure(.interrupted, code: 0),
      "the answer to \(request) breaks off: its body, compressed as \(coding), was cut short")
    error.response = self
    return error
  }
}

extension HTTPFields {
  /// Whether the body that they describe is called JSON.
  var describeJSON: Bool {
    let type = self[.contentType]?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    return type == "application/json" || type?.hasSuffix("+json") == true
  }
}
