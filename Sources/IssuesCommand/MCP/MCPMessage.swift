internal import GitHubAPI

/// A line of the Model Context Protocol: a message of JSON-RPC 2.0 (<https://www.jsonrpc.org/specification>).
enum MCPMessage: Sendable, Equatable {
  case request(MCPRequest)
  case notification(MCPNotification)
  /// A response to a request, although this server doesn't send requests.
  case response
  /// A line of JSON that isn't a message.
  case invalid(MCPIdentifier?, reason: String)
  case garbage(reason: String)

  init(line: [UInt8]) {
    do {
      self = try unsafe line.withUnsafeBytes { bytes in
        var reader = unsafe JSONReader(bytes)
        let message = try Envelope(&reader).message
        try reader.end()
        return message
      }
    } catch {
      self = .garbage(reason: "\(error)")
    }
  }

  private struct Envelope {
    var version: String?
    var identifier: MCPIdentifier?
    var hasIdentifier = false
    var method: String?
    var parameters = MCPParameters()
    var isObject = false
    var isResponse = false

    init(_ reader: inout JSONReader) throws(JSONReader.Problem) {
      guard try reader.peek() == UInt8(ascii: "{") else {
        try reader.skip()
        return
      }
      isObject = true
      // If two members have the same name, the first is used, as in decoding.
      var seen: Set<String> = []
      try reader.beginObject()
      while let name = try reader.nextName()?.text.string {
        guard seen.insert(name).inserted else {
          try reader.skip()
          continue
        }
        switch name {
        case "jsonrpc": version = try reader.textOrNothing()
        case "method": method = try reader.textOrNothing()
        case "id":
          hasIdentifier = true
          identifier = try MCPIdentifier(&reader)
        case "params": parameters = try MCPParameters(&reader)
        case "result", "error":
          isResponse = true
          try reader.skip()
        default: try reader.skip()
        }
      }
    }

    var message: MCPMessage {
      guard isObject else { return .invalid(nil, reason: "a message must be one object") }
      guard version == "2.0" else {
        return .invalid(identifier, reason: #"a message has "jsonrpc":"2.0""#)
      }
      guard let method else {
        return isResponse ? .response : .invalid(identifier, reason: "a message has a method")
      }
      guard hasIdentifier else {
        return .notification(MCPNotification(method: method, parameters: parameters))
      }
      guard let identifier else {
        return .invalid(nil, reason: "an id must be a string or a whole number")
      }
      return .request(
        MCPRequest(identifier: identifier, method: method, parameters: parameters))
    }
  }
}

struct MCPRequest: Sendable, Equatable {
  let identifier: MCPIdentifier
  let method: String
  var parameters = MCPParameters()
}

struct MCPNotification: Sendable, Equatable {
  let method: String
  var parameters = MCPParameters()
}

/// The `id` of a request. Clients begin with 0.
enum MCPIdentifier: Sendable, Hashable {
  case number(Int64)
  case text(String)

  /// Reads an ID; nil for other values, which are skipped.
  init?(_ reader: inout JSONReader) throws(JSONReader.Problem) {
    switch try reader.peek() {
    case UInt8(ascii: "\""): self = .text(try reader.string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      var ahead = reader
      try reader.skip()
      guard let number = try? ahead.integer() else { return nil }
      self = .number(number)
    default:
      try reader.skip()
      return nil
    }
  }

  var json: OrderedJSON {
    switch self {
    case .number(let number): .written("\(number)")
    case .text(let text): .string(text)
    }
  }
}

/// The members of `params` that this server reads.
struct MCPParameters: Sendable, Equatable {
  /// The prefix of the protocol's own members in `_meta`.
  static let prefix = "io.modelcontextprotocol/"

  var isObject = true
  /// The version in `_meta`, which only clients of the stateless revisions send; empty if it isn't a string.
  var metaVersion: String?
  var hasMetaCapabilities = false
  /// The client's name, in `initialize` or in `_meta`.
  var clientName: String?
  /// The version in `initialize`.
  var protocolVersion: String?
  /// The name of a tool.
  var name: String?
  /// The arguments of a tool; nil if they aren't an object.
  var arguments: [String: MCPArgument]? = [:]
  var cursor: String?
  /// The ID of the request that a notification cancels.
  var requestIdentifier: MCPIdentifier?

  init() {}

  init(_ reader: inout JSONReader) throws(JSONReader.Problem) {
    guard try reader.peek() == UInt8(ascii: "{") else {
      isObject = false
      try reader.skip()
      return
    }
    var seen: Set<String> = []
    try reader.beginObject()
    while let member = try reader.nextName()?.text.string {
      guard seen.insert(member).inserted else {
        try reader.skip()
        continue
      }
      switch member {
      case "_meta": try takeMeta(&reader)
      case "protocolVersion": protocolVersion = try reader.textOrNothing()
      case "clientInfo": clientName = try Self.name(&reader)
      case "name": name = try reader.textOrNothing()
      case "cursor": cursor = try reader.skipNull() ? nil : reader.textOrNothing() ?? ""
      case "requestId": requestIdentifier = try MCPIdentifier(&reader)
      case "arguments":
        if try !reader.skipNull() { arguments = try MCPArgument.members(&reader) }
      default: try reader.skip()
      }
    }
  }

  private mutating func takeMeta(_ reader: inout JSONReader) throws(JSONReader.Problem) {
    guard try reader.peek() == UInt8(ascii: "{") else { return try reader.skip() }
    try reader.beginObject()
    while let member = try reader.nextName()?.text.string {
      switch member {
      case Self.prefix + "protocolVersion": metaVersion = try reader.textOrNothing() ?? ""
      case Self.prefix + "clientCapabilities":
        hasMetaCapabilities = try reader.peek() == UInt8(ascii: "{")
        try reader.skip()
      case Self.prefix + "clientInfo": clientName = try Self.name(&reader)
      default: try reader.skip()
      }
    }
  }
}

extension MCPParameters {
  /// Reads the name in a `clientInfo`; nil if there is none.
  private static func name(_ reader: inout JSONReader) throws(JSONReader.Problem) -> String? {
    guard case .text(let name)? = try MCPArgument.members(&reader)?["name"] else { return nil }
    return name
  }
}

/// The value of an argument. No tool accepts an object or an array.
enum MCPArgument: Sendable, Equatable {
  case text(String)
  case number(Int64)
  case null
  case other

  static func members(
    _ reader: inout JSONReader
  ) throws(JSONReader.Problem) -> [String: MCPArgument]? {
    guard try reader.peek() == UInt8(ascii: "{") else {
      try reader.skip()
      return nil
    }
    var members: [String: MCPArgument] = [:]
    try reader.beginObject()
    while let name = try reader.nextName()?.text.string {
      let value = try MCPArgument(&reader)
      if members[name] == nil { members[name] = value }
    }
    return members
  }

  private init(_ reader: inout JSONReader) throws(JSONReader.Problem) {
    switch try reader.peek() {
    case UInt8(ascii: "\""): self = .text(try reader.string())
    case UInt8(ascii: "n"):
      try reader.skip()
      self = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      var ahead = reader
      try reader.skip()
      self = (try? ahead.integer()).map(MCPArgument.number) ?? .other
    default:
      try reader.skip()
      self = .other
    }
  }
}

extension JSONReader {
  /// Reads a string; nil for other values, which are skipped.
  fileprivate mutating func textOrNothing() throws(Problem) -> String? {
    if try peek() == UInt8(ascii: "\"") { return try string() }
    try skip()
    return nil
  }
}
