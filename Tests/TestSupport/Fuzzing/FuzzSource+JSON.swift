extension FuzzSource {
  /// A valid JSON text with a few other values.
  ///
  /// - Parameters:
  ///   - corpus: Valid texts, at least one.
  ///   - words: Strings with a meaning in their language.
  /// - Returns: JSON, unless one of its numbers is invalid.
  public mutating func mutation(ofJSON corpus: [FuzzJSON], words: [String] = []) -> [UInt8] {
    var tree = pick(corpus)
    for _ in 0..<(1 + length(upTo: 7)) { tree = changed(tree, corpus, words) }
    return tree.text(using: &self)
  }

  /// The tree with another value somewhere. Each step down is as likely as stopping.
  private mutating func changed(
    _ tree: FuzzJSON, _ corpus: [FuzzJSON], _ words: [String]
  ) -> FuzzJSON {
    switch tree {
    case .array(var values) where !values.isEmpty && !once(in: 6):
      let index = below(values.count)
      switch below(8) {
      case 0: values.remove(at: index)
      case 1: values.insert(values[below(values.count)], at: index)
      default: values[index] = changed(values[index], corpus, words)
      }
      return .array(values)
    case .object(var members) where !members.isEmpty && !once(in: 10):
      let index = below(members.count)
      switch below(8) {
      case 0: members.remove(at: index)
      case 1: members.insert(members[below(members.count)], at: index)
      case 2: members[index].name = once(in: 2) ? text(upTo: 4) : pick(members).name
      default: members[index].value = changed(members[index].value, corpus, words)
      }
      return .object(members)
    default:
      return other(than: tree, corpus, words)
    }
  }

  private mutating func other(
    than tree: FuzzJSON, _ corpus: [FuzzJSON], _ words: [String]
  ) -> FuzzJSON {
    switch below(12) {
    case 0: return .null
    case 1: return .boolean(once(in: 2))
    case 2: return .number(FuzzJSON.numbers[below(FuzzJSON.numbers.count)])
    case 3: return .number("\(Int64(truncatingIfNeeded: next()) >> below(64))")
    case 4: return .array([tree])
    case 5: return .object([FuzzJSON.Member(name: text(upTo: 3, words: words), value: tree)])
    case 6: return pick(corpus)
    case 7: return (0..<length(upTo: 40)).reduce(tree) { inner, _ in .array([inner]) }
    case 8:
      guard case .string(let string) = tree else { return .string("") }
      return .string(mutation(of: [string], words: words))
    default: return .string(text(upTo: 12, words: words))
    }
  }
}

extension FuzzJSON {
  /// JSON numbers at the limits of their types.
  fileprivate static let numbers = [
    "0", "-0", "1", "-1", "2147483648", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616",
    "1.0", "1.5", "1e3", "1E400", "-1e400", "1e-400", "99999999999999999999999999999999999999",
    "01",
  ]
}
