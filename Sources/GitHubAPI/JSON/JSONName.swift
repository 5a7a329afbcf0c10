#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The name of a member of a JSON object, to be matched against what is known.
package struct JSONName {
  package let text: JSONString

  /// Lets a `switch` match a name.
  package static func ~= (known: StaticString, name: JSONName) -> Bool {
    let (bytes, count) = (name.text.bytes, known.utf8CodeUnitCount)
    guard !name.text.isEscaped else { return name.text.string == known.description }
    guard bytes.count == count, let start = bytes.baseAddress else { return false }
    return memcmp(start, known.utf8Start, count) == 0
  }
}
