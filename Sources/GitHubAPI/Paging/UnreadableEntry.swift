internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An entry of a list that couldn't be read.
public struct UnreadableEntry: Sendable, Hashable, CustomStringConvertible {
  /// What it is called: `#12`, the name of a repository, or its place on the page.
  public let name: String
  /// Why it couldn't be read.
  public let reason: String

  /// The name and the reason.
  public var description: String { "\(name) (\(reason))" }

  init(_ json: Data, index: Int, reason: String) {
    name = Self.name(in: json) ?? "entry \(index + 1) of its page"
    self.reason = reason
  }

  /// What the entry says that it is called, as far as that can be read.
  private static func name(in json: Data) -> String? {
    json.withUnsafeBytes { bytes -> String? in
      var reader = JSONReader(bytes)
      guard (try? reader.beginObject()) != nil else { return nil }
      while let name = (try? reader.nextName()) ?? nil {
        switch name {
        case "number":
          if let number = try? reader.integer() { return "#\(number)" }
          return nil
        case "full_name":
          let name = (try? reader.string()) ?? ""
          return RepositoryName(name).map { "\($0)" }
        default:
          guard (try? reader.skip()) != nil else { return nil }
        }
      }
      return nil
    }
  }
}

/// Entries of a list that couldn't be read: it goes on without them, and ends in this error, so that it never looks
/// whole.
public struct UnreadableEntries: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many are named at most.
  private static let maximumNames = 10

  /// The entries, as far as they are named.
  public private(set) var entries: [UnreadableEntry] = []
  /// How many there are.
  public private(set) var count = 0

  /// How many they are, and which.
  public var description: String {
    let names = entries.map(\.description).joined(separator: ", ")
    let rest = count > entries.count ? " and \(count - entries.count) more" : ""
    return
      (count == 1
      ? "1 entry is missing, which can't be read: "
      : "\(count) entries are missing, which can't be read: ")
      + names + rest
  }

  /// None yet.
  package init() {}

  /// Counts more of them.
  package mutating func add(_ new: [UnreadableEntry]) {
    count += new.count
    entries += new.prefix(max(0, Self.maximumNames - entries.count))
  }

  var error: NetworkError { NetworkError(.decoding, "\(self)", underlying: self) }
}
