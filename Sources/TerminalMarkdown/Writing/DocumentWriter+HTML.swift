internal import StyledText

extension DocumentWriter {
  private static let formats: [String: InlineLook.Trait] = [
    "b": .strong, "strong": .strong, "summary": .strong, "th": .title, "dt": .strong,
    "i": .emphasis, "em": .emphasis, "cite": .emphasis, "dfn": .emphasis, "var": .emphasis,
    "s": .strikethrough, "del": .strikethrough, "strike": .strikethrough,
    "u": .underline, "ins": .underline, "mark": .underline,
    "code": .code, "tt": .code, "samp": .code, "pre": .code, "kbd": .key,
    "small": .faint, "sup": .superscript, "sub": .subscript,
    "h1": .heading, "h2": .heading, "h3": .heading, "h4": .heading, "h5": .heading,
    "h6": .heading,
  ]

  private static let blocks: Set<String> = [
    "address", "article", "aside", "caption", "center", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "main", "nav", "p", "pre", "section",
    "summary", "table", "tbody", "tfoot", "thead",
  ]

  /// Elements that GitHub shows as text (GFM's extension "Disallowed Raw HTML").
  private static let disallowed: Set<String> = [
    "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
  ]

  mutating func writeHTMLBlock(_ source: String) {
    write(html: source)
    writeInline()
  }

  mutating func writeInlineHTML(_ source: String) {
    write(html: source)
  }

  mutating func endInlineHTML() {
    for trait in html.closeAll() { change(trait, by: -1) }
    html.isPreformatted = false
    while !links.isEmpty { endLink() }
  }

  private mutating func write(html source: String) {
    var tokens = HTMLTokens(source)
    while let token = tokens.next() {
      switch token {
      case .hidden: break
      case .text(let text): write(text: HTMLEntities.decode(text))
      case .tag(let tag, let source):
        if Self.disallowed.contains(tag.name) {
          appendPlain(inline.collapsing(source))
        } else {
          write(tag)
        }
      }
    }
  }

  private mutating func write(text: String) {
    guard html.isPreformatted else {
      append(inline.collapsing(text))
      return
    }
    for (number, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      if number > 0 { inline.breakLine() }
      appendPlain(line)
    }
  }

  private mutating func write(_ tag: HTMLTag) {
    if Self.blocks.contains(tag.name) { flush() }
    if let look = Self.formats[tag.name], !tag.name.hasPrefix("h") { change(look, by: tag) }
    switch tag.name {
    case "br": inline.breakLine()
    case "hr":
      flush()
      writeRule()
    case "img": writeImage(tag)
    case "video", "audio", "source": writeRecording(tag)
    case "a": tag.isClosing ? endLink() : beginLink(to: tag.attribute("href") ?? "", text: nil)
    case "pre": html.isPreformatted = !tag.isClosing
    case "tr":
      if !inline.isAtBeginningOfLine { inline.breakLine() }
    case "td", "th":
      if !tag.isClosing, !inline.isAtBeginningOfLine {
        appendPlain(inline.collapsing(" \(glyphs.column) "))
      }
    case "h1", "h2", "h3", "h4", "h5", "h6": writeHeading(tag)
    case "details", "blockquote": writeContainer(tag)
    case "ul", "ol": writeList(tag)
    case "li": writeItem(tag)
    default: break
    }
  }

  private mutating func change(_ format: InlineLook.Trait, by tag: HTMLTag) {
    if tag.isClosing {
      if let trait = html.close(tag.name) { change(trait, by: -1) }
    } else if html.open(tag.name, format) {
      change(format, by: 1)
    }
  }

  private mutating func writeImage(_ tag: HTMLTag) {
    let alternative = tag.attribute("alt") ?? ""
    beginImage(at: tag.attribute("src") ?? "", alternative: alternative)
    appendPlain(inline.collapsing(alternative))
    endImage()
  }

  private mutating func writeRecording(_ tag: HTMLTag) {
    guard !tag.isClosing, let address = tag.attribute("src") else { return }
    beginLink(to: address, text: nil)
    appendPlain(tag.name == "audio" ? "[audio]" : "[video]")
    endLink()
  }

  private mutating func writeHeading(_ tag: HTMLTag) {
    let level = Int(tag.name.dropFirst()) ?? 1
    if tag.isClosing {
      let (begin, isOpen) = (page.lines.count, look[.heading] > 0)
      flush()
      if isOpen { writeUnderline(level: level, from: begin) }
    } else {
      flush()
      look.headingLevel = level
      nameHeading(level: level)
    }
    change(.heading, by: tag)
  }

  /// Shows `details` as open, with a mark before the summary, and a quotation as in Markdown.
  private mutating func writeContainer(_ tag: HTMLTag) {
    flush()
    guard !tag.isClosing else { return page.close(element: tag.name) }
    page.beginBlock()
    let isQuote = tag.name == "blockquote"
    page.open(
      element: tag.name,
      marker: isQuote
        ? quoteMarker
        : glyphs.isPlain && !hasRoomForWords ? nil : .init("\(glyphs.open) ", style: .heading),
      hanging: isQuote ? quoteHanging : .init("  "),
      isSpaced: true)
  }

  private mutating func writeList(_ tag: HTMLTag) {
    flush()
    if tag.isClosing {
      _ = html.lists.popLast()
      page.close(element: tag.name)
    } else {
      page.beginBlock()
      if html.lists.count < 64 { html.lists.append(tag.name == "ol" ? 1 : nil) }
      page.open(element: tag.name, isSpaced: false)
    }
  }

  private mutating func writeItem(_ tag: HTMLTag) {
    flush()
    page.close(element: "li", inside: ["ul", "ol"])
    guard !tag.isClosing else { return }
    page.beginBlock()
    var marker = glyphs.bullets[max(0, html.lists.count - 1) % glyphs.bullets.count] + " "
    if let number = html.lists.last ?? nil {
      marker = "\(number). "
      html.lists[html.lists.count - 1] = number + 1
    }
    page.open(
      element: "li", marker: .init(marker),
      hanging: .init(String(repeating: " ", count: DisplayWidth.columns(of: marker))))
  }
}

extension DocumentWriter {
  struct HTMLState {
    private static let maximumFormats = 64

    private var formats: [(element: String, trait: InlineLook.Trait)] = []
    /// The next numbers of the open lists; nil for lists without numbers.
    var lists: [Int?] = []
    var isPreformatted = false

    /// - Returns: Whether the element has an effect. Beyond the limit it has none.
    mutating func open(_ element: String, _ trait: InlineLook.Trait) -> Bool {
      guard formats.count < Self.maximumFormats else { return false }
      formats.append((element, trait))
      return true
    }

    mutating func close(_ element: String) -> InlineLook.Trait? {
      guard let index = formats.lastIndex(where: { $0.element == element }) else { return nil }
      return formats.remove(at: index).trait
    }

    mutating func closeAll() -> [InlineLook.Trait] {
      defer { formats = [] }
      return formats.map(\.trait)
    }
  }
}
