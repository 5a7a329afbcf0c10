internal import StyledText

extension DocumentWriter {
  struct OpenLink {
    /// The target; nil if it isn't a web address.
    var target: WebLink?
    var address: String?
    /// The target of the outermost link, which applies to the text in this link.
    var outermost: WebLink?
  }

  /// The target of the text at this point. Each link stores it, because thousands of links may be open and never
  /// closed.
  var link: WebLink? { links.last?.outermost }

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
      isBeginning ? beginLink(node) : endLink()
    case .image:
      isBeginning
        ? beginImage(at: node.url, alternative: node.isEmpty ? "" : node.onlyText) : endImage()
    case .footnoteReference where isBeginning:
      inline.append("[^\(node.literal)]", style: styles.aside)
    default: break
    }
  }

  /// Begins (1) or ends (-1) an element with a trait.
  mutating func change(_ trait: InlineLook.Trait, by step: Int) {
    look[trait] += step
    guard trait == .strikethrough, !renderer.hasStrikethrough else { return }
    // Only the outermost element writes the tildes.
    if look[trait] == max(step, 0) { appendPlain("~~") }
  }

  /// Appends text, with its references and emoji.
  mutating func append(_ text: String) {
    guard links.isEmpty, look[.code] == 0 else {
      appendPlain(look[.code] == 0 ? references.withEmoji(text) : text)
      return
    }
    let style = look.style(isLink: false, in: styles)
    references.forEachPiece(of: text) { piece in
      switch piece {
      case .text(let text): inline.append(lettered(text), style: style)
      case .reference(let text, let target):
        var style = style
        style.isBold = true
        if target != nil { style.foreground = styles.link.foreground }
        inline.append(text, style: style, link: target)
      }
    }
  }

  mutating func appendPlain(_ text: some StringProtocol) {
    let target = link
    inline.append(
      lettered(text), style: look.style(isLink: target != nil, in: styles), link: target)
  }

  private func lettered(_ text: some StringProtocol) -> String {
    renderer.isUnicode ? look.lettered(String(text)) : String(text)
  }

  private mutating func beginLink(_ node: MarkdownNode) {
    let (url, text) = (node.url, node.onlyText)
    // GitHub shows the address of an attachment as a video if it is alone on its line.
    if text == url, links.isEmpty, url.contains("/user-attachments/assets/"), node.isAloneOnLine {
      appendPlain("video: ")
    }
    beginLink(to: url, text: text)
    guard text == url, links.count == 1,
      let name = LinkAddress.issueName(of: url, below: renderer.repositoryURL)
    else { return }
    appendPlain(name)
    hiddenNodes = 1
  }

  /// Begins a link. `text` is the link's content if it is only text.
  mutating func beginLink(to url: String, text: String?) {
    let target = LinkAddress.resolve(url, below: renderer.repositoryURL)
    // A link whose text is its address is shown once.
    let isBare = text.map { $0 == url || "http://\($0)" == url || "mailto:\($0)" == url } ?? false
    let isPlace = url.isEmpty || url.hasPrefix("#")
    open(target, address: isBare || isPlace ? nil : url)
  }

  private mutating func open(_ target: WebLink?, address: String?) {
    links.append(OpenLink(target: target, address: address, outermost: link ?? target))
  }

  /// Ends a link, and appends its address or number unless its text is a hyperlink.
  mutating func endLink() {
    guard let ended = links.popLast(), let address = ended.address else { return }
    // A link or an image inside another link has no target of its own.
    guard link == nil else { return }
    let style = styles.aside
    if let target = ended.target {
      guard renderer.links == .footnotes else { return }
      inline.append(" [\(notes.number(of: target))]", style: style)
    } else {
      inline.append(" (\(address))", style: style)
    }
  }

  /// Begins an image, shown as its alternative text. `alternative` is nil if it isn't only plain text.
  mutating func beginImage(at url: String, alternative: String?) {
    let target = LinkAddress.resolve(url, below: renderer.repositoryURL)
    open(target, address: target == nil ? nil : url)
    if renderer.images != nil, let target { gatheredImages.append(target) }
    switch alternative?.lowercased() {
    case "": appendPlain("[image")
    // GitHub's default alternative text for uploaded images.
    case "image": appendPlain("[")
    default: appendPlain("[image: ")
    }
  }

  mutating func endImage() {
    appendPlain("]")
    endLink()
  }
}
