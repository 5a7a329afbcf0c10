internal import HTTPTargets

extension HTTPField.Name? {
  /// The name of a literal in this package, known to be a token where the type can't know it.
  var known: HTTPField.Name {
    guard let self else { preconditionFailure("not a field name") }
    return self
  }
}
