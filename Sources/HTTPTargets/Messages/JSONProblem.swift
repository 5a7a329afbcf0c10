#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Why a text isn't handed to `JSONDecoder`.
///
/// Foundation's parser goes down to 512 levels. A text that ends with the bracket that opens the 513th makes it
/// look for the place of the error behind the end of the text, and trap (Swift 6.3): any server could end the
/// process. What APIs send has a dozen levels at most.
///
/// And what is a byte or two in a text, a value takes some hundreds of bytes for: a body that isn't too large
/// may still fill the memory.
package struct JSONProblem: Error, Hashable, CustomStringConvertible {
  package let description: String

  /// The most levels of lists and objects within each other.
  package static let maximumDepth = 256

  /// The most values: thrice what a page of a hundred issues has, each with as many labels as it may have.
  package static let maximumCount = 1 << 18

  /// Looks for a problem; nil where there is none.
  ///
  /// One pass over the bytes, in which strings are jumped over.
  package init?(in body: Data) {
    if body.withUnsafeBytes(Self.isWide) {
      description = "not in UTF-8"
    } else {
      let brackets = JSONBrackets(in: body)
      if brackets.maximumDepth > Self.maximumDepth {
        description = "nested more than \(Self.maximumDepth) levels deep"
      } else if brackets.valueCount > Self.maximumCount {
        self = .tooMany
      } else {
        return nil
      }
    }
  }

  /// Counts the values of a text.
  ///
  /// - Throws: What ``init(in:)`` finds where there are more than so many.
  package static func count(in body: Data, upTo maximum: Int) throws(JSONProblem) -> Int {
    let count = JSONBrackets(in: body).valueCount
    guard count <= maximum else { throw tooMany }
    return count
  }

  private static let tooMany = JSONProblem("made of more than \(maximumCount) values")

  private init(_ description: String) {
    self.description = description
  }

  /// Whether `JSONDecoder` would read the text as UTF-16 or UTF-32, in which a bracket isn't found by its
  /// byte. JSON between systems is UTF-8
  /// ([RFC 8259, section 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1)), where no NUL occurs.
  private static func isWide(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.prefix(4).contains(0) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.starts(with: [0xFF, 0xFE])
  }
}

extension JSONDecoder {
  /// Decodes a text, unless there is a ``JSONProblem`` with it.
  ///
  /// - Throws: `DecodingError`, with the problem as its underlying error where there is one.
  package func decodeChecked<Value: Decodable>(
    _ type: Value.Type, from body: Data
  ) throws -> Value {
    if let problem = JSONProblem(in: body) {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "\(problem)", underlyingError: problem))
    }
    return try decode(type, from: body)
  }
}
