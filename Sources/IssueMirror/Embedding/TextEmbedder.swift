internal import PlatformModules

/// A model that turns texts into vectors. Texts with similar meanings have vectors with similar directions.
package struct TextEmbedder: Sendable {
  /// Vectors of models with other names aren't compared.
  let name: String
  /// Returns a vector for each text, in order.
  let vectors: @Sendable ([String]) async throws -> [[Float]]

  package init(
    name: String, vectors: @escaping @Sendable ([String]) async throws -> [[Float]]
  ) {
    self.name = name
    self.vectors = vectors
  }

  /// The text for an issue. Small models read only the first few hundred words.
  static func text(title: String, body: String) -> String {
    "\(title)\n\n\(body.prefix(4_000))"
  }
}

/// A vector of length 1.
struct UnitVector: Sendable, Equatable {
  let values: [Float]

  /// A vector of length 0 stays as it is.
  init(_ values: [Float]) {
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    self.values = length > 0 ? values.map { $0 / length } : values
  }

  init(bytes: Data) {
    values = unsafe [Float](unsafeUninitializedCapacity: bytes.count / MemoryLayout<Float>.size) {
      buffer, count in
      count = unsafe bytes.copyBytes(to: buffer) / MemoryLayout<Float>.size
    }
  }

  var bytes: Data { unsafe values.withUnsafeBytes { unsafe Data($0) } }

  /// The cosine of the angle between two vectors of the same model.
  func cosine(_ other: Self) -> Double {
    Double(zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 })
  }
}
