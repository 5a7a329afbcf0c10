public import ArgumentParser

/// A value that is chosen by its name.
///
/// Says in plain code what the parser would find out through key paths and comparisons, for every option of
/// every start. For the same reason those of the list are optional, and their help says what leaving them out
/// means: to describe a default, the parser searches the program for what its type conforms to.
public protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable
where RawValue == String {}

extension NamedChoice {
  /// The names.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  /// None: the names speak for themselves.
  public static var allValueDescriptions: [String: String] { [:] }
}
