package import StyledText

/// The lines of a document, with its links, code blocks and images.
package struct RenderedDocument: Sendable, Hashable {
  /// A link or a reference such as `#12`, with its target page.
  package struct Link: Sendable, Hashable {
    package let target: WebLink
    /// The places of the link from top to bottom, at least one. A link may continue in the next line.
    package fileprivate(set) var places: [Place]
  }

  /// A part of a line.
  package struct Place: Sendable, Hashable {
    /// The index of the line.
    package fileprivate(set) var line: Int
    /// The range of the line's runs, for callers that don't measure text with ``DisplayWidth``.
    package fileprivate(set) var runs: Range<Int>
    /// The zero-based range of columns.
    package fileprivate(set) var columns: Range<Int>
  }

  package struct CodeBlock: Sendable, Hashable {
    /// The shown text, but with its tabs and without the breaks of long lines. It ends with a line feed.
    package let text: String
    /// The word after the fence; empty if the fence has no word.
    package let language: String
    /// The lines of the code without the frame.
    package fileprivate(set) var lines: Range<Int>
  }

  /// An image in the text. It is shown below its alternative text.
  package struct Image: Sendable, Hashable {
    package let source: WebLink
    /// The empty lines for the image; empty if its size isn't known yet.
    package fileprivate(set) var lines: Range<Int>
    /// The zero-based column of the image's left edge.
    package let column: Int
    /// The width of the image; 0 if it has no lines.
    package let columns: Int

    init(source: WebLink, lines: Range<Int>, column: Int, columns: Int) {
      (self.source, self.lines) = (source, lines)
      (self.column, self.columns) = (column, columns)
    }
  }

  package private(set) var lines: [StyledLine]
  /// The links in reading order. Each link is listed once, even if it spans several lines.
  package private(set) var links: [Link]
  /// The code blocks in reading order.
  package private(set) var codeBlocks: [CodeBlock]
  /// The images in reading order; empty if the renderer ignores images.
  package private(set) var images: [Image]
  /// The first line of each comment, if the document is the page of an issue.
  package private(set) var comments: [Int]

  /// Finds the links of the lines.
  package init(
    lines: [StyledLine] = [], codeBlocks: [CodeBlock] = [], images: [Image] = [],
    comments: [Int] = []
  ) {
    self.lines = lines
    self.codeBlocks = codeBlocks
    self.images = images
    self.comments = comments
    links = Self.links(in: lines)
  }

  package mutating func append(_ other: RenderedDocument) {
    let count = lines.count
    lines += other.lines
    for var link in other.links {
      for index in link.places.indices { link.places[index].line += count }
      links.append(link)
    }
    for var block in other.codeBlocks {
      block.lines = block.lines.lowerBound + count..<block.lines.upperBound + count
      codeBlocks.append(block)
    }
    for var image in other.images {
      image.lines = image.lines.lowerBound + count..<image.lines.upperBound + count
      images.append(image)
    }
    comments += other.comments.map { $0 + count }
  }

  package static func + (left: RenderedDocument, right: RenderedDocument) -> RenderedDocument {
    var both = left
    both.append(right)
    return both
  }

  private static func links(in lines: [StyledLine]) -> [Link] {
    var links: [Link] = []
    // The links in the previous line, by target. A piece with the same target continues that link.
    var above: [WebLink: Int] = [:]
    for (number, line) in lines.enumerated() {
      let pieces = places(in: line, number: number)
      var here: [WebLink: Int] = [:]
      for (target, place) in pieces {
        if let index = above.removeValue(forKey: target) {
          links[index].places.append(place)
          here[target] = index
        } else {
          here[target] = links.count
          links.append(Link(target: target, places: [place]))
        }
      }
      above = here
    }
    return links
  }

  private static func places(in line: StyledLine, number: Int) -> [(WebLink, Place)] {
    guard line.runs.contains(where: { $0.link != nil }) else { return [] }
    var places: [(target: WebLink, place: Place)] = []
    var column = 0
    for (index, run) in line.runs.enumerated() {
      let end = column + run.columns
      defer { column = end }
      guard let target = run.link else { continue }
      if let last = places.indices.last, places[last].target == target,
        places[last].place.runs.upperBound == index
      {
        let place = places[last].place
        places[last].place.runs = place.runs.lowerBound..<index + 1
        places[last].place.columns = place.columns.lowerBound..<end
      } else {
        places.append((target, Place(line: number, runs: index..<index + 1, columns: column..<end)))
      }
    }
    return places
  }
}
