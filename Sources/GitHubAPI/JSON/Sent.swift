internal import HTTPTargets
public import PlatformModules

/// An entity, and the JSON that the server sent, including newer members, nulls, and the original spelling of numbers.
/// ``PagedListing`` returns it on request:
///
/// ```swift
/// for try await page in PagedListing<Sent<GitHub.Issue>>(provider: provider, first: target) {
///   for item in page.items { print(item.entity.number, item.json.count) }
/// }
/// ```
///
/// It isn't `Encodable`: ``json`` is its encoding, byte for byte, and an encoder can't pass bytes on.
public struct Sent<Entity: Decodable & Sendable>: Sendable {
  /// The entity.
  public var entity: Entity
  /// The bytes of the object.
  public var json: Data

  /// Combines an entity with its JSON.
  public init(_ entity: Entity, json: Data) {
    self.entity = entity
    self.json = json
  }
}

extension Sent: Decodable {
  /// Decodes an entity with a decoder of ``GitHubJSON``, which keeps the text.
  ///
  /// - Throws: `DecodingError`, also for a part of a text, whose bytes are unknown.
  public init(from decoder: any Decoder) throws {
    // The entity's problems make the better error.
    let entity = try Entity(from: decoder)
    guard decoder.codingPath.isEmpty, let json = decoder.userInfo[.jsonText] as? Data,
      !json.isEmpty
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "The bytes aren't known here."))
    }
    self.init(entity, json: json)
  }
}

extension Sent: Identifiable where Entity: Identifiable {
  /// The identity of the entity.
  public var id: Entity.ID { entity.id }
}

extension Sent: Equatable where Entity: Equatable {}
extension Sent: Hashable where Entity: Hashable {}
