internal import HTTPTargets
public import PlatformModules

/// An entity and its original JSON from the server, including unknown members, nulls, and the original format of
/// numbers. ``PagedListing`` can return such entities:
///
/// ```swift
/// for try await page in PagedListing<Sent<GitHub.Issue>>(provider: provider, first: target) {
///   for item in page.items { print(item.entity.number, item.json.count) }
/// }
/// ```
///
/// It isn't `Encodable`, because ``json`` is its exact encoding, and an encoder can't write bytes unchanged.
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
  /// Decodes an entity. It requires a decoder from ``GitHubJSON``, which keeps the text.
  ///
  /// - Throws: `DecodingError`, including for a part of the text, because the bytes of a part are unknown.
  public init(from decoder: any Decoder) throws {
    // The entity is decoded first, because its error is more helpful.
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
