#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads a body from start to end, a buffer at a time, for a transport. Used by one thread at a time.
package final class RequestBodyReader {
  private let segments: [RequestBody.Segment]
  private var index = 0
  /// How much of the current segment has been read.
  private var offset = 0
  private var file: OpenFile?

  /// Starts at the first byte. Files are opened when it is their turn.
  package init(_ body: RequestBody) {
    segments = body.segments
  }

  /// Fills a buffer.
  ///
  /// - Returns: How many bytes there are now in the buffer: fewer than it has room for at the end of the
  ///   body only.
  /// - Throws: ``NetworkError/Code/encoding`` when a file can't be read or has fewer bytes than announced.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
    var filled = 0
    while filled < buffer.count, index < segments.count {
      let count = min(buffer.count - filled, segments[index].size - offset)
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
      let read = try read(segments[index], into: room)
      filled += read
      offset += read
      if offset == segments[index].size { move(to: index + 1, offset: 0) }
    }
    return filled
  }

  /// Goes on at a place; false if there is none such.
  package func seek(to position: Int) -> Bool {
    var rest = position
    for (index, segment) in segments.enumerated() {
      if rest < segment.size {
        move(to: index, offset: rest)
        return rest >= 0
      }
      rest -= segment.size
    }
    move(to: segments.count, offset: 0)
    return rest == 0
  }

  private func move(to index: Int, offset: Int) {
    if index != self.index { file = nil }
    self.index = index
    self.offset = offset
  }

  private func read(
    _ segment: RequestBody.Segment, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetworkError) -> Int {
    switch segment {
    case .bytes(let data):
      let start = data.startIndex + offset
      data.copyBytes(to: buffer, from: start..<start + buffer.count)
      return buffer.count
    case .file(let path, _):
      do throws(FileFailure) {
        let count = try open(path).read(into: buffer, at: offset)
        // To end the body here would leave the server waiting for the bytes that were announced.
        guard count > 0 else { throw FileFailure(path, "it became shorter while it was sent") }
        return count
      } catch {
        throw .unreadable(error)
      }
    }
  }

  private func open(_ path: String) throws(FileFailure) -> OpenFile {
    if let file { return file }
    let file = try OpenFile.reading(path)
    self.file = file
    return file
  }
}
