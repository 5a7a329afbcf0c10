internal import IssueMirror
internal import StyledText

extension BrowserState {
  /// That what the list holds is from the mirror, and how old it is.
  ///
  /// - Parameter isShort: Whether there is little room.
  /// - Returns: The words; nil where it is the server's.
  func mirrorWords(isShort: Bool) -> StyledLine? {
    guard let sheet, let repository = sheet.mirror?.repository else {
      return isOffline && sheet == nil ? StyledLine("offline", style: .faint) : nil
    }
    let away = sheet.isStandIn ? "offline: " : ""
    let age: String =
      if !repository.isComplete {
        isShort ? "incomplete" : "whose first sync isn't done"
      } else if let checkedAt = repository.checkedAt(withComments: reader != nil) {
        isShort
          ? "\(RelativeTime.short(checkedAt, relativeTo: now)) old"
          : RelativeTime.age(checkedAt, relativeTo: now)
      } else {
        "of unknown age"
      }
    let words = isShort ? "\(away)mirror, \(age)" : "\(away)from the mirror, \(age)"
    let isFine = !sheet.isStandIn && repository.isComplete
    return StyledLine(words, style: isFine ? .faint : .delay)
  }
}
