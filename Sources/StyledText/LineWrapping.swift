/// Wraps a line in linear time: after a break it rereads less than one line.
struct LineWrapping {
  private struct Place {
    var run = 0
    var index: String.Index
  }

  private struct Break {
    var end: Place
    var next: Place
  }

  private struct Unit {
    var breakClass: BreakClass
    var columns: Int
    var end: Place
  }

  private let runs: [StyledLine.Run]
  private let indents: (first: StyledLine, hanging: StyledLine)
  private let room: (first: Int, hanging: Int)

  private var apart: (run: Int, indices: Range<String.Index>)?
  private var result: [StyledLine] = []
  private var begin: Place
  private var place: Place
  /// The columns up to the place, without trailing spaces.
  private var columns = 0
  private var blanks = 0
  private var before = BreakClass.none
  private var wordBreak: Break?
  private var innerBreak: Break?

  init(line: StyledLine, width: Int, indent: StyledLine, hangingIndent: StyledLine) {
    runs = line.runs
    indents = (indent, hangingIndent)
    room = (max(1, width - indent.columns), max(1, width - hangingIndent.columns))
    begin = Place(index: runs.first?.text.string.startIndex ?? "".startIndex)
    place = begin
  }

  mutating func lines(breakingAnywhere: Bool) -> [StyledLine] {
    while let unit = nextUnit() {
      let after = unit.breakClass
      if after == .blank, !breakingAnywhere {
        noteBlank(of: unit.columns, endingAt: unit.end)
        continue
      }
      // A mark without a column belongs to the previous character.
      if unit.columns > 0, !breakingAnywhere { noteBreak(before: after) }
      let limit = result.isEmpty ? room.first : room.hanging
      let isLonger = unit.columns > 0 || blanks > 0
      if isLonger, columns + blanks + unit.columns > limit, breakLine() { continue }
      columns += blanks + unit.columns
      blanks = 0
      if unit.columns > 0 { before = after }
      place = unit.end
    }
    // A line that fits keeps its trailing spaces.
    let limit = result.isEmpty ? room.first : room.hanging
    let end = columns + blanks <= limit ? place : wordBreak?.end ?? place
    add(upTo: end)
    return result
  }

  /// Ends the line at its best break, or here if it has none.
  ///
  /// - Returns: Whether the line ended. An empty line accepts even a character that is too wide.
  private mutating func breakLine() -> Bool {
    if let known = wordBreak ?? innerBreak {
      // Spaces alone don't make a line.
      if !isSame(known.end, begin) { add(upTo: known.end) }
      start(at: known.next)
      return true
    }
    guard columns + blanks > 0 else { return false }
    add(upTo: place)
    start(at: place)
    return true
  }

  private mutating func start(at next: Place) {
    begin = next
    place = next
    columns = 0
    blanks = 0
    before = .none
    wordBreak = nil
    innerBreak = nil
  }

  private mutating func noteBlank(of width: Int, endingAt end: Place) {
    if blanks == 0 {
      wordBreak = Break(end: place, next: end)
    } else {
      wordBreak?.next = end
    }
    blanks += width
    place = end
    before = .blank
    innerBreak = nil
  }

  private mutating func noteBreak(before after: BreakClass) {
    guard columns > 0, blanks == 0 else { return }
    switch before.opportunity(before: after) {
    case .between:
      wordBreak = Break(end: place, next: place)
      innerBreak = nil
    case .inside: innerBreak = Break(end: place, next: place)
    case .never: break
    }
  }

  private mutating func add(upTo end: Place) {
    var line = result.isEmpty ? indents.first : indents.hanging
    var from = begin
    while from.run < runs.count, from.run <= end.run {
      let run = runs[from.run]
      let string = run.text.string
      let stop = from.run == end.run ? end.index : string.endIndex
      if from.index < stop {
        let isWhole = from.index == string.startIndex && stop == string.endIndex
        line.runs.append(
          isWhole
            ? run
            : StyledLine.Run(
              TerminalText(string[from.index..<stop]), style: run.style, link: run.link))
      }
      from.run += 1
      if from.run < runs.count { from.index = runs[from.run].text.string.startIndex }
    }
    result.append(line)
  }

  private func isSame(_ one: Place, _ other: Place) -> Bool {
    one.run == other.run && one.index == other.index
  }

  private mutating func nextUnit() -> Unit? {
    while place.run < runs.count, place.index == runs[place.run].text.string.endIndex {
      guard place.run + 1 < runs.count else { return nil }
      let isBegin = isSame(begin, place)
      place.run += 1
      place.index = runs[place.run].text.string.startIndex
      if isBegin { begin = place }
    }
    guard place.run < runs.count else { return nil }
    let string = runs[place.run].text.string
    let bytes = string.utf8
    let next = bytes.index(after: place.index)
    // Most text is ASCII, where every byte is a character.
    if bytes[place.index] < 0x80, next == bytes.endIndex || bytes[next] < 0x80 {
      let scalar = Unicode.Scalar(bytes[place.index])
      return unit(scalar, columns: 1, endingAt: next)
    }
    let scalars = string.unicodeScalars
    let scalar = scalars[place.index]
    if DisplayWidth.standsAlone(scalar) {
      let next = scalars.index(after: place.index)
      if next == scalars.endIndex || DisplayWidth.standsAlone(scalars[next]) {
        let columns = DisplayWidth.columns(of: Character(scalar))
        return unit(scalar, columns: columns, endingAt: next)
      }
    }
    if let apart, apart.run == place.run, apart.indices.contains(place.index) {
      return nextScalar(scalar, in: string)
    }
    let character = string[place.index]
    // Inside a cluster, `index(after:)` would skip the rest of the cluster.
    let end = bytes.index(place.index, offsetBy: character.utf8.count)
    let columns = DisplayWidth.columns(of: character)
    guard columns > 2 else { return unit(scalar, columns: columns, endingAt: end) }
    // Terminals show the letters of a long cluster one by one.
    apart = (place.run, place.index..<end)
    return nextScalar(scalar, in: string)
  }

  private func nextScalar(_ scalar: Unicode.Scalar, in string: String) -> Unit {
    let scalars = string.unicodeScalars
    var end = scalars.index(after: place.index)
    while end < scalars.endIndex, DisplayWidth.columns(of: Character(scalars[end])) == 0 {
      end = scalars.index(after: end)
    }
    return unit(scalar, columns: DisplayWidth.columns(of: Character(scalar)), endingAt: end)
  }

  private func unit(
    _ scalar: Unicode.Scalar, columns: Int, endingAt end: String.Index
  ) -> Unit {
    var breakClass = BreakClass(scalar, columns: columns)
    // A space with a combining mark isn't dropped, because that would also drop the mark.
    let scalars = runs[place.run].text.string.unicodeScalars
    if breakClass == .blank, scalars.index(after: place.index) != end { breakClass = .letter }
    return Unit(breakClass: breakClass, columns: columns, end: Place(run: place.run, index: end))
  }
}

extension StyledLine {
  /// Wraps the line into lines no wider than `width` columns, including the indent.
  ///
  /// A line breaks at spaces, which are dropped, and between ideographs. A word longer than a line breaks after its
  /// hyphens and slashes, or else at the edge. A cluster that shows as one character never breaks, and closing
  /// punctuation stays with its text. If an indent leaves no room, a line holds one character anyway.
  package func wrapped(
    to width: Int, indent: StyledLine = StyledLine(), hangingIndent: StyledLine = StyledLine()
  ) -> [StyledLine] {
    var wrapping = LineWrapping(
      line: self, width: width, indent: indent, hangingIndent: hangingIndent)
    return wrapping.lines(breakingAnywhere: false)
  }

  /// Breaks the line at the edge. Spaces are kept.
  package func broken(
    to width: Int, indent: StyledLine = StyledLine(), hangingIndent: StyledLine = StyledLine()
  ) -> [StyledLine] {
    var wrapping = LineWrapping(
      line: self, width: width, indent: indent, hangingIndent: hangingIndent)
    return wrapping.lines(breakingAnywhere: true)
  }
}
