/// A `name=value` item of a query or a form.
///
/// Lists keep their order and duplicates, but omit items without a value. All characters except the unreserved ones of
/// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.3) are percent-encoded, so that `c++` arrives as `c++`
/// (`c%2B%2B`), not as `c` and two spaces.
public struct QueryItem: Sendable, Hashable {
  /// The name, not encoded.
  public var name: String
  /// The value, not encoded; nil to omit the item.
  public var value: String?

  /// Creates an item.
  public init(_ name: String, _ value: String?) {
    self.name = name
    self.value = value
  }

  /// Creates an item with a number or a Boolean value.
  public init(_ name: String, _ value: (some LosslessStringConvertible)?) {
    self.init(name, value.map { String($0) })
  }

  static func encode(_ items: [QueryItem]) -> String {
    var query = ""
    for item in items {
      guard let value = item.value else { continue }
      if !query.isEmpty { query += "&" }
      query += "\(PercentEncoding.encode(item.name))=\(PercentEncoding.encode(value))"
    }
    return query
  }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
  /// The item as in a query. A secret value is masked.
  public var description: String { Redaction.url(Self.encode([self])) }

  /// Shows only ``description``.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
