internal import StyledText

extension DocumentWriter {
  /// An open link or image.
  struct OpenLink {
    /// Its target; nil where that is no web address.
    var target: WebLink?
    /// The address to show after the text; nil for none.
    var address: String?
    /// The target of text in it, which is that of the outermost link.
    var outermost: WebLink?
  }

  /// The target of text here. Each link keeps it, since thousands may be open and never closed.
  var link: WebLink? { links.last?.outermost }

  /// Writes a part of a text.
  mutating func writeInline(_ node: MarkdownNode, _ kind: MarkdownNode.Kind, isBeginning: Bool) {
    switch kind {
    case .text: append(node.literal)
    case .softBreak, .lineBreak: inline.breakLine()
    case .code:
      look[.code] += 1
      appendPlain(node.literal)
      look[.code] -= 1
    case .htmlInline: writeInlineHTML(node.literal)
    case .emphasis: look[.emphasis] += isBeginning ? 1 : -1
    case .strong: look[.strong] += isBeginning ? 1 : -1
    case .strikethrough: change(.strikethrough, by: isBeginning ? 1 : -1)
    case .link:
      isBeginning ? beginLink(to: node.url, text: node.onlyText) : endLink()
    case .image:
      isBeginning
        ? beginImage(at: node.url, alternative: node.isEmpty ? "" : node.onlyText) : endImage()
    case .footnoteReference where isBeginning:
      inline.append("[^\(node.literal)]", style: Style(isFaint: true))
    default: break
    }
  }

  /// Begins or ends an element that changes the look of text.
  ///
  /// - Parameters:
  ///   - trait: The trait that the element has.
  ///   - step: 1 for the beginning, -1 for the end.
  mutating func change(_ trait: InlineLook.Trait, by step: Int) {
    look[trait] += step
    guard trait == .strikethrough, !renderer.hasStrikethrough else { return }
    // Only the outermost element has its signs.
    if look[trait] == max(step, 0) { appendPlain("~~") }
  }

  /// Adds text, and finds names, numbers and emoji in it.
  mutating func append(_ text: String) {
    guard links.isEmpty, look[.code] == 0 else {
      appendPlain(look[.code] == 0 ? references.withEmoji(text) : text)
      return
    }
    let style = look.style(isLink: false)
    references.forEachPiece(of: text) { piece in
      switch piece {
      case .text(let text): inline.append(lettered(text), style: style)
      case .reference(let text, let target):
        var style = style
        style.isBold = true
        inline.append(text, style: style, link: renderer.links == .hyperlinks ? target : nil)
      }
    }
  }

  /// Adds text as it is.
  mutating func appendPlain(_ text: some StringProtocol) {
    let target = link
    inline.append(
      lettered(text), style: look.style(isLink: target != nil),
      link: renderer.links == .hyperlinks ? target : nil)
  }

  private func lettered(_ text: some StringProtocol) -> String {
    renderer.isUnicode ? look.lettered(String(text)) : String(text)
  }

  /// Begins a link.
  ///
  /// - Parameters:
  ///   - url: Its address, as it was written.
  ///   - text: Its text, if it contains nothing else.
  mutating func beginLink(to url: String, text: String?) {
    let target = LinkAddress.resolve(url, below: renderer.repositoryURL)
    // An address that is its own text is shown once.
    let isBare = text.map { $0 == url || "http://\($0)" == url || "mailto:\($0)" == url } ?? false
    let isPlace = url.isEmpty || url.hasPrefix("#")
    open(target, address: isBare || isPlace ? nil : url)
  }

  private mutating func open(_ target: WebLink?, address: String?) {
    links.append(OpenLink(target: target, address: address, outermost: link ?? target))
  }

  /// Ends a link, and adds its address or number after its text, unless the text itself is the link.
  mutating func endLink() {
    guard let ended = links.popLast(), let address = ended.address else { return }
    // Inside another link it has no target of its own.
    guard link == nil else { return }
    let style = Style(isFaint: true)
    if let target = ended.target {
      guard renderer.links == .footnotes else { return }
      inline.append(" [\(notes.number(of: target))]", style: style)
    } else {
      inline.append(" (\(address))", style: style)
    }
  }

  /// Begins an image, which is shown as its alternative text.
  ///
  /// - Parameters:
  ///   - url: Its address, as it was written.
  ///   - alternative: The alternative text, if it contains nothing else.
  mutating func beginImage(at url: String, alternative: String?) {
    let target = LinkAddress.resolve(url, below: renderer.repositoryURL)
    open(target, address: target == nil ? nil : url)
    switch alternative?.lowercased() {
    case "": appendPlain("[image")
    // GitHub's text for uploaded images.
    case "image": appendPlain("[")
    default: appendPlain("[image: ")
    }
  }

  mutating func endImage() {
    appendPlain("]")
    endLink()
  }
}
