internal import StyledText

/// The form of a report, row by row.
enum ReportForm {
  case sentence(ColorMode)
  case plain(TSV)
  case json(JSONSink)

  init(_ session: CommandSession, _ fields: JSONFields?) throws(CommandFailure) {
    self =
      if let fields {
        .json(try JSONSink(session, fields))
      } else if session.style.layout == .table {
        .sentence(session.style.color)
      } else {
        .plain(TSV(color: session.style.color))
      }
  }
}
