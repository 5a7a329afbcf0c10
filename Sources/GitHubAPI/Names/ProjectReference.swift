internal import HTTPTargets

/// A project of a user or an organization, by its number: `swiftlang/5`, or the URL of its page.
public struct ProjectReference: Hashable, Sendable {
  /// The login of the user or the organization.
  public let owner: String
  /// The number in the URL of the project's page.
  public let number: Int

  /// Parses `OWNER/NUMBER`, or a page's URL such as `https://github.com/orgs/swiftlang/projects/5`; nil for other text.
  public init?(_ text: String) {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)[...]
    if text.hasPrefix("https://") {
      guard parts.count >= 7, ["orgs", "users"].contains(parts[3]), parts[5] == "projects" else {
        return nil
      }
      parts = [parts[4], parts[6].prefix { $0 != "?" && $0 != "#" }]
    }
    guard parts.count == 2, let owner = parts.first.flatMap({ Username(String($0)) }),
      let last = parts.last, last.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(last), number > 0
    else { return nil }
    (self.owner, self.number) = (owner.login, number)
  }
}

extension ProjectReference: LosslessStringConvertible {
  /// `OWNER/NUMBER`.
  public var description: String { "\(owner)/\(number)" }
}

extension ProjectReference: Codable {
  /// Decodes a project from its text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { ProjectReference($0) }
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}
