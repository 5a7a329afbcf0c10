/// Finds the images of a document.
package enum MarkdownImages {
  /// The addresses of the images in a document, without escapes; none if it is too slow to parse.
  package static func addresses(in markdown: String) -> Set<String> {
    let bounded = DocumentBounds(markdown)
    guard bounded.isParsable, let tree = MarkdownTree.parsed(bounded.text) else { return [] }
    var addresses: Set<String> = []
    tree.visit { node, isBeginning in
      if isBeginning, node.kind == .image { addresses.insert(node.url) }
    }
    return addresses
  }
}
