extension String {
  /// Returns text from a server on one line of limited length in code points, without control characters. A single
  /// character can contain megabytes of combining marks.
  package func onOneLine(atMost maximum: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      // Format characters include the bidirectional controls.
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse:
        if scalars.last != " " { scalars.append(" ") }
      default:
        scalars.append(scalar)
      }
    }
    var line = scalars.drop { $0 == " " }
    if line.count > maximum {
      line = line.prefix(maximum - 1)
      line.append("…")
    }
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
