/// The arguments that all five programs take.
///
///     --stub            answers from sample data, without a network
///     --api-url URL     asks another server than api.github.com
public struct Arguments: Sendable {
  /// Whether sample data answers.
  public var isStubbed = false
  /// The base URL of the API.
  public var apiURL = "https://api.github.com"

  /// Reads the arguments of this process.
  ///
  /// - Throws: ``Misuse`` for any others.
  public init(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) throws(Misuse) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch (argument, rest.first) {
      case ("--stub", _): isStubbed = true
      case ("--api-url", let url?):
        apiURL = url
        rest.removeFirst()
      default: throw Misuse()
      }
    }
  }

  /// The arguments are wrong.
  public struct Misuse: Error, CustomStringConvertible {
    /// The right ones.
    public var description: String { "usage: [--stub] [--api-url URL]" }
  }
}
