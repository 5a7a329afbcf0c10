/// Tells what a ``Probe`` found to be other than a test said.
public struct ProbeFailure: Error, CustomStringConvertible {
  /// What was expected, and what was found.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
