internal import GitHubAPI
internal import HTTPTargets
internal import PlatformModules

/// An object to write as JSON in the server's form, with additions.
///
/// Credentials become null unless requested by name, because the output goes to files, pipes and build logs.
struct JSONObject: Sendable {
  /// A new member. It replaces an existing one with the same name.
  struct Addition: Sendable {
    let name: String
    let value: Data
  }

  /// The members that contain credentials. A `temp_clone_token` is enough to clone a private repository
  /// (<https://docs.github.com/rest/repos/repos#get-a-repository>).
  private static let credentials: Set = ["temp_clone_token"]

  /// The field with only the names of `labels`, whose objects are long. It is written on request.
  static let labelNames = "label_names"

  let sent: Data
  var additions: [Addition] = []

  init(_ sent: Data, adding additions: [Addition] = []) {
    self.sent = sent
    self.additions = additions
  }

  init(encoding value: some Encodable) throws {
    self.init(try GitHubJSON.encoder().encode(value))
  }

  func names() throws -> [String] {
    try members().map(\.name) + additions.map(\.name)
  }

  /// The JSON in one line, safe to show. Missing members become null. If `names` is nil, all members are written.
  func text(_ names: [String]?) throws -> [UInt8] {
    if names == nil, additions.isEmpty { return JSONText.passed(try Self.withoutCredentials(sent)) }
    // If two members have the same name, the first is used, as in decoding.
    let members = try members()
    let shown = try names?.map { ($0, try value(of: $0, among: members)) } ?? all(members)
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

  private func value(of name: String, among members: [Member]) throws -> Data {
    let value =
      additions.first { $0.name == name }?.value ?? members.first { $0.name == name }?.value
    if value == nil, name == Self.labelNames,
      let labels = members.first(where: { $0.name == "labels" })?.value
    {
      return try GitHubJSON.encoder().encode(
        GitHubJSON.decode([GitHub.Label].self, from: labels).map(\.name))
    }
    return value ?? Data("null".utf8)
  }

  private func all(_ members: [Member]) -> [Member] {
    let added = Set(additions.map(\.name))
    return members.filter { !added.contains($0.name) } + additions.map { ($0.name, $0.value) }
  }

  /// Replaces credentials in a value. `name` is the name of the member with this value; nil for a whole object.
  private static func withoutCredentials(_ json: Data, of name: String? = nil) throws -> Data {
    if let name, credentials.contains(name) { return Data("null".utf8) }
    // Credentials are rare, and JSON without any isn't copied. GitHub doesn't escape names.
    let mayHaveSome = unsafe json.withUnsafeBytes { bytes in
      credentials.contains {
        unsafe ByteSearch.position(of: Array("\"\($0)\"".utf8), in: bytes) != nil
      }
    }
    guard mayHaveSome else { return json }
    let values = try unsafe json.withUnsafeBytes { bytes in
      var reader = unsafe JSONReader(bytes)
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
    try unsafe sent.withUnsafeBytes { bytes in
      var reader = unsafe JSONReader(bytes)
      var members: [Member] = []
      try reader.beginObject()
      while let name = try reader.nextName() {
        let start = try reader.start()
        try reader.skip()
        unsafe members.append(
          (name.text.string, Data(bytes[start..<reader.position])))
      }
      return members
    }
  }
}
