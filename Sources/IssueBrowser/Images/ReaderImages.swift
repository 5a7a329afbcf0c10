package import StyledText
internal import TerminalMarkdown
package import TerminalScreen

/// The images of the issue in the reader, by the URLs in its text.
package struct ReaderImages: Sendable, Hashable {
  package enum Outcome: Sendable {
    case loaded(ScreenImage)
    case failed
    /// An image that wasn't requested, because it isn't hosted by the server itself.
    case foreign
  }

  /// The maximum number of requests for a page.
  private static let limit = 16

  package private(set) var loaded: [WebLink: ScreenImage] = [:]
  /// The images that are shown as alternative text.
  private var words: Set<WebLink> = []
  private var requests = 0

  mutating func take(_ outcome: Outcome, of source: WebLink) {
    switch outcome {
    case .loaded(let image): loaded[source] = image
    case .failed, .foreign: words.insert(source)
    }
    if case .foreign = outcome {} else { requests += 1 }
  }

  fileprivate func lacks(_ source: WebLink) -> Bool {
    requests < Self.limit && loaded[source] == nil && !words.contains(source)
  }
}

extension BrowserState {
  /// The first visible image that isn't loaded yet. The line above it contains its alternative text.
  var nextImage: WebLink? {
    guard cell != nil, let reader, let height = layout.reader?.height else { return nil }
    let visible = reader.top + 1..<reader.top + height + 1
    return reader.document.images.first {
      visible.contains($0.lines.lowerBound) && reader.images.lacks($0.source)
    }?.source
  }

  /// The sizes of the loaded images; nil if the terminal doesn't show images.
  var imageBoxes: [WebLink: ImageBox]? {
    guard let cell, let reader else { return nil }
    return reader.images.loaded.mapValues { image in
      ImageBox(
        width: image.width, height: image.height, cellWidth: cell.width, cellHeight: cell.height)
    }
  }
}
