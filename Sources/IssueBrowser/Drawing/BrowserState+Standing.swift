internal import IssueTracker
internal import StyledText

extension BrowserState {
  /// What became of the last request for what the list holds.
  var standing: IssueSheet.Standing {
    switch content {
    case .nothing: .online
    case .issues(let sheet): sheet.standing
    case .repositories(let found): found.standing
    }
  }

  /// Why the list doesn't go on, for a person; nil where all is well.
  var problem: (text: String, style: Style)? {
    switch standing {
    case .online: nil
    // What it says instead is that the mirror stands in.
    case .offline where sheet?.isStandIn == true: nil
    case .offline: ("Offline: \(host) can't be reached, trying again", .delay)
    case .limited(let end):
      (
        end.map { "Rate limited until \(LocalTime.hoursAndMinutes(of: $0))" }
          ?? "Rate limited for a few minutes", .delay
      )
    case .failed(let reason): (reason, .problem)
    }
  }
}
