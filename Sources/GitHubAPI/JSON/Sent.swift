internal import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An entity, and the very JSON that the server sent it as.
///
/// The JSON has what the entity doesn't know: members that came later, nulls, numbers as they were written. It is
/// what ``PagedListing`` gives where that is asked for:
///
/// ```swift
/// for try await page in PagedListing<Sent<Issue>>(provider: provider, first: target) {
///   for item in page.items { print(item.entity.number, item.json.count) }
/// }
/// ```
public struct Sent<Entity: Decodable & Sendable>: Sendable {
  /// The entity.
  public var entity: Entity
  /// The object that it was decoded from, byte for byte.
  public var json: Data

  /// Puts an entity beside its JSON.
  public init(_ entity: Entity, json: Data) {
    self.entity = entity
    self.json = json
  }
}

extension Sent: Decodable {
  /// Decodes an entity, with a decoder of ``GitHubJSON`` that knows the bytes.
  ///
  /// - Throws: `DecodingError`, also where it is a part of what is decoded, whose bytes nobody knows.
  public init(from decoder: any Decoder) throws {
    // What is wrong with the entity is the better reason.
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
  /// The entity's.
  public var id: Entity.ID { entity.id }
}

extension Sent: Equatable where Entity: Equatable {}
extension Sent: Hashable where Entity: Hashable {}
