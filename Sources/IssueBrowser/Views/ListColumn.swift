/// A column that a list of issues may have behind the number and the title, at the prompt and on the screen.
package enum ListColumn: String, Sendable, Hashable, CaseIterable {
  case labels
  case assignees
  case author
  case milestone
  case comments
  case created
  case updated
}
