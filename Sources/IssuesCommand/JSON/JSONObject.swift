internal import GitHubAPI
internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An object to be written as JSON: what a server sent, and what is added to it.
///
/// Credentials of the server's in it are null, unless they are asked for by name: what is written goes into
/// files, pipes and logs of builds, and whoever wants a list of repositories doesn't expect that it opens them.
struct JSONObject: Sendable {
  /// A member that is added, in the place of one of that name.
  struct Addition: Sendable {
    let name: String
    let value: Data
  }

  /// The members that are credentials. With `temp_clone_token` anybody may clone a private repository
  /// (<https://docs.github.com/rest/repos/repos#get-a-repository>).
  private static let credentials: Set = ["temp_clone_token"]

  /// The object, byte for byte.
  let sent: Data
  var additions: [Addition] = []

  /// An object as it was sent.
  init(_ sent: Data, adding additions: [Addition] = []) {
    self.sent = sent
    self.additions = additions
  }

  /// An object of this program's own.
  init(encoding value: some Encodable) throws {
    self.init(try GitHubJSON.encoder().encode(value))
  }

  /// The names of its members.
  ///
  /// - Throws: What is wrong with the JSON.
  func names() throws -> [String] {
    try members().map(\.name) + additions.map(\.name)
  }

  /// The JSON in one line, safe to be shown.
  ///
  /// - Parameter names: The members that are wanted, null where there is none of the name; nil for all.
  /// - Returns: The text in UTF-8.
  /// - Throws: What is wrong with the JSON.
  func text(_ names: [String]?) throws -> [UInt8] {
    if names == nil, additions.isEmpty { return JSONText.passed(try Self.withoutCredentials(sent)) }
    // Of a name that is there twice the first counts, as where it is decoded.
    let members = try members()
    let shown = names?.map { name in (name, value(of: name, among: members)) } ?? all(members)
    var text = Array("{".utf8)
    for (index, (name, value)) in shown.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += JSONText.passed(try GitHubJSON.encoder().encode(name))
      text.append(UInt8(ascii: ":"))
      let isWanted = names != nil && Self.credentials.contains(name)
      text += JSONText.passed(isWanted ? value : try Self.withoutCredentials(value, of: name))
    }
    return text + "}".utf8
  }

  private typealias Member = (name: String, value: Data)

  private func value(of name: String, among members: [Member]) -> Data {
    additions.first { $0.name == name }?.value
      ?? members.first { $0.name == name }?.value ?? Data("null".utf8)
  }

  private func all(_ members: [Member]) -> [Member] {
    let added = Set(additions.map(\.name))
    return members.filter { !added.contains($0.name) } + additions.map { ($0.name, $0.value) }
  }

  /// The JSON with null in the place of each credential.
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - name: The name of the member whose value it is; nil for the whole.
  /// - Returns: The JSON, without anything else changed.
  /// - Throws: What is wrong with it.
  private static func withoutCredentials(_ json: Data, of name: String? = nil) throws -> Data {
    if let name, credentials.contains(name) { return Data("null".utf8) }
    // Nearly always there are none, and nothing is copied. A name can be written with escapes, but not by GitHub.
    let mayHaveSome = json.withUnsafeBytes { bytes in
      credentials.contains { ByteSearch.position(of: Array("\"\($0)\"".utf8), in: bytes) != nil }
    }
    guard mayHaveSome else { return json }
    let values = try json.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      var values: [Range<Int>] = []
      try findCredentials(&reader, &values)
      return values
    }
    var result = Data()
    var position = 0
    for value in values {
      result += json.dropFirst(position).prefix(value.lowerBound - position) + Data("null".utf8)
      position = value.upperBound
    }
    return result + json.dropFirst(position)
  }

  /// Goes behind the next value, and notes where in it credentials stand.
  private static func findCredentials(
    _ reader: inout JSONReader, _ values: inout [Range<Int>]
  ) throws {
    switch try reader.peek() {
    case UInt8(ascii: "{"):
      try reader.beginObject()
      while let name = try reader.nextName() {
        guard credentials.contains(name.text.string) else {
          try findCredentials(&reader, &values)
          continue
        }
        let start = try reader.start()
        try reader.skip()
        values.append(start..<reader.position)
      }
    case UInt8(ascii: "["):
      try reader.beginArray()
      while try reader.nextElement() { try findCredentials(&reader, &values) }
    default: try reader.skip()
    }
  }

  private func members() throws -> [Member] {
    try sent.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      var members: [Member] = []
      try reader.beginObject()
      while let name = try reader.nextName() {
        let start = try reader.start()
        try reader.skip()
        members.append(
          (name.text.string, Data(bytes[start..<reader.position])))
      }
      return members
    }
  }
}
