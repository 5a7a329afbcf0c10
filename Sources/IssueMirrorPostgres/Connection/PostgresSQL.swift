internal import PlatformModules

/// SQL with its values. An interpolated value becomes a parameter; only interpolated SQL becomes part of the statement.
struct PostgresSQL: ExpressibleByStringInterpolation, Sendable {
  fileprivate enum Piece: Sendable {
    case text(String)
    case parameter(PostgresParameter)
  }

  private var pieces: [Piece] = []

  init(stringLiteral text: String) { pieces = [.text(text)] }

  init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  private init(_ pieces: [Piece]) { self.pieces = pieces }

  var isEmpty: Bool {
    pieces.allSatisfy { if case .text(let text) = $0 { text.isEmpty } else { false } }
  }

  /// The statement, in which the parameters are `$1`, `$2` and so on.
  var rendered: (text: String, parameters: [PostgresParameter]) {
    var (text, parameters) = ("", [PostgresParameter]())
    for piece in pieces {
      switch piece {
      case .text(let part): text += part
      case .parameter(let parameter):
        parameters.append(parameter)
        text += "$\(parameters.count)"
      }
    }
    return (text, parameters)
  }

  static func + (first: Self, second: Self) -> Self { Self(first.pieces + second.pieces) }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }
    mutating func appendInterpolation(_ sql: PostgresSQL) { pieces += sql.pieces }
    /// Appends SQL. Never pass text from outside the program.
    mutating func appendInterpolation(sql text: String) { pieces.append(.text(text)) }
    mutating func appendInterpolation(_ parameter: PostgresParameter) {
      pieces.append(.parameter(parameter))
    }
    mutating func appendInterpolation(_ value: Int?) { appendInterpolation(.integer(value)) }
    mutating func appendInterpolation(_ value: Int64?) { appendInterpolation(.integer(value)) }
    mutating func appendInterpolation(_ value: Double) { appendInterpolation(.real(value)) }
    mutating func appendInterpolation(_ value: Bool) { appendInterpolation(.boolean(value)) }
    mutating func appendInterpolation(_ value: String?) { appendInterpolation(.text(value)) }
    mutating func appendInterpolation(_ value: Data?) { appendInterpolation(.bytes(value)) }
    mutating func appendInterpolation(_ values: [Int64]) { appendInterpolation(.integers(values)) }
    mutating func appendInterpolation(_ values: [Int]) { appendInterpolation(.integers(values)) }
    mutating func appendInterpolation(_ values: [String]) { appendInterpolation(.texts(values)) }
  }
}

extension [PostgresSQL] {
  func joined(separator: String = "") -> PostgresSQL {
    var all: PostgresSQL = ""
    for (index, sql) in enumerated() {
      all = index == 0 ? sql : "\(all)\(sql: separator)\(sql)"
    }
    return all
  }
}
