internal import GitHubAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An object to be written as JSON: what a server sent, and what is added to it.
struct JSONObject: Sendable {
  /// A member that is added, in the place of one of that name.
  struct Addition: Sendable {
    let name: String
    let value: Data
  }

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
    if names == nil, additions.isEmpty { return JSONText.passed(sent) }
    // Of a name that is there twice the first counts, as where it is decoded.
    let members = try members()
    let shown = names?.map { name in (name, value(of: name, among: members)) } ?? all(members)
    var text = Array("{".utf8)
    for (index, (name, value)) in shown.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += JSONText.passed(try GitHubJSON.encoder().encode(name))
      text.append(UInt8(ascii: ":"))
      text += JSONText.passed(value)
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
