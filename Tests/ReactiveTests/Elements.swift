/// A source that has all its elements ready, and ends after them.
func elements<Element: Sendable>(_ elements: some Sequence<Element>) -> AsyncStream<Element> {
  let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
  for element in elements {
    continuation.yield(element)
  }
  continuation.finish()
  return stream
}
