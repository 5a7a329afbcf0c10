import Foundation

/// The arguments that each of these programs takes.
///
///     --stub            answers from sample data, without a network
///     --api-url URL     asks another server than api.github.com
public struct Arguments: Sendable {
  /// Whether sample data answers.
  public var isStubbed = false
  /// The base URL of the API.
  public var apiURL = "https://api.github.com"

  /// Reads the arguments of this process. Wrong ones end it, with the right ones on standard error.
  public static func ofProcess() -> Arguments {
    guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
      FileHandle.standardError.write(Data("usage: [--stub] [--api-url URL]\n".utf8))
      exit(64)
    }
    return arguments
  }

  /// The defaults.
  public init() {}

  private init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch (argument, rest.first) {
      case ("--stub", _): isStubbed = true
      case ("--api-url", let url?):
        apiURL = url
        rest.removeFirst()
      default: return nil
      }
    }
  }
}
