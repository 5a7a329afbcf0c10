internal import IssueMirror
internal import PlatformModules

/// The text of an issue and its comments, in pages.
///
/// Each piece of untrusted text is enclosed in marks. The author's name is outside of the marks, so that text can't
/// pretend to be another person's comment.
struct DiscussionText: Sendable {
  /// The maximum length of a piece's beginning in an outline.
  private static let longestBeginning = 120

  /// The length of the four escaped line breaks around a piece.
  private static let breaks = 8

  private struct Piece: Sendable {
    /// The heading, written by this program; empty for the issue's own text.
    let heading: String
    /// The text, made safe, without marks.
    let text: String
  }

  private let pieces: [Piece]
  private let mark: StrangerText
  private let isOutline: Bool
  let start: Position

  init(
    _ part: ReadTool.Part, of issue: GitHub.Issue, _ comments: [IssueComment], mark: StrangerText
  ) {
    self.mark = mark
    isOutline = part == .outline
    start = Position(updated: issue.updatedAt.map { Int($0.timeIntervalSince1970) } ?? 0)
    var pieces: [Piece] = []
    if part == .all || part == .body {
      pieces.append(Piece(heading: "", text: StrangerText.harmless(issue.body ?? "")))
    }
    for (index, comment) in comments.enumerated() where part != .body {
      let text = StrangerText.harmless(comment.body ?? "")
      var facts = [
        "comment \(index + 1) of \(comments.count)", Self.login(comment.user),
        Self.association(comment.authorAssociation),
      ]
      if let date = comment.createdAt { facts.append(Timestamp.string(from: date)) }
      if comment.isEdited { facts.append("edited") }
      if isOutline { facts.append("\(text.utf16.count) chars") }
      pieces.append(
        Piece(
          heading: "[\(facts.joined(separator: ", "))]",
          text: isOutline ? Self.beginning(of: text) : text))
    }
    self.pieces = pieces
  }

  /// The length in UTF-16 code units, without marks and headings.
  var length: Int { pieces.reduce(0) { $0 + $1.text.utf16.count } }

  /// Returns as many pieces from a position as the cost allows, the last one cut if needed, and the position of the
  /// next page.
  func page(from position: Position, atMost cost: Int) -> (text: String, next: Position?) {
    var (page, left, place) = ("", cost, position)
    while place.piece < pieces.count {
      let piece = pieces[place.piece]
      let bytes = piece.text.utf8
      // The text may have become shorter.
      let begin = bytes.index(bytes.startIndex, offsetBy: min(max(0, place.offset), bytes.count))
      let rest = piece.text[
        (begin.samePosition(in: piece.text.unicodeScalars) ?? piece.text.startIndex)...]
      let heading = heading(of: piece, isContinued: place.offset > 0)
      let frame = JSONCost.of(heading) + JSONCost.of(mark.opening + mark.closing) + Self.breaks
      if rest.isEmpty, piece.heading.isEmpty {
        place = Position(piece: place.piece + 1, updated: position.updated)
        continue
      }
      guard left > frame else { break }
      let whole = JSONCost.of(rest) <= left - frame
      let cut = whole ? rest : Self.cut(rest, atMost: left - frame)
      guard whole || !cut.isEmpty else { break }
      let gap = isOutline && piece.heading.isEmpty == false ? " " : "\n"
      let inner = isOutline ? "" : "\n"
      page += heading + (heading.isEmpty ? "" : gap) + mark.opening + inner
      page += cut + inner + mark.closing + "\n"
      left -= frame + JSONCost.of(cut)
      guard whole else {
        place.offset = bytes.distance(from: bytes.startIndex, to: cut.endIndex)
        break
      }
      place = Position(piece: place.piece + 1, updated: position.updated)
    }
    return (page, place.piece < pieces.count ? place : nil)
  }

  private func heading(of piece: Piece, isContinued: Bool) -> String {
    guard isContinued else { return piece.heading }
    return piece.heading.isEmpty ? "[continued]" : piece.heading.dropLast() + ", continued]"
  }

  /// Cuts the text, at the end of a line if one is near.
  private static func cut(_ text: Substring, atMost cost: Int) -> Substring {
    let cut = JSONCost.prefix(of: text, atMost: cost)
    guard let line = cut.suffix(200).lastIndex(of: "\n"), line > cut.startIndex,
      cut.count > 400
    else { return cut }
    return cut[...line]
  }

  private static func beginning(of text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    let cut = JSONCost.prefix(of: line, atMost: longestBeginning)
    return cut.endIndex < text.endIndex ? "\(cut)…" : String(cut)
  }

  /// The login. It consists of letters, digits, hyphens and the suffix of a bot; any other text isn't a login.
  static func login(_ user: GitHub.User?) -> String {
    guard let login = user?.login else { return "ghost" }
    return Username(login) == nil ? "unknown" : login
  }

  /// The author's association, such as `MEMBER`, or `NONE` if it isn't known.
  static func association(_ text: String?) -> String {
    guard let text, !text.isEmpty, text.utf8.count <= 30,
      text.utf8.allSatisfy({
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_")
      })
    else { return "NONE" }
    return text
  }

  /// The start of a page, and the version of the issue on the previous page.
  struct Position: Sendable, Hashable {
    var piece = 0
    /// The offset in bytes of UTF-8.
    var offset = 0
    /// The time in seconds since 1970.
    let updated: Int

    static let longest = Position(piece: 999_999, offset: 9_999_999, updated: 9_999_999_999)

    init(piece: Int = 0, offset: Int = 0, updated: Int) {
      (self.piece, self.offset, self.updated) = (piece, offset, updated)
    }

    init(cursor: String) throws(ToolRefusal) {
      let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        .compactMap { Int($0) }
      guard parts.count == 3, parts.allSatisfy({ $0 >= 0 }) else {
        throw ToolRefusal("cursor must be a nextCursor: leave it out to begin again.")
      }
      self.init(piece: parts[0], offset: parts[1], updated: parts[2])
    }

    var cursor: String { "\(piece).\(offset).\(updated)" }
  }
}
