#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The body of a request: bytes in memory, files, or both in sequence.
///
/// The request announces the size (`Content-Length`) and isn't chunked. Each time the body is sent, its files are
/// opened again. A file that has grown is sent up to the announced size; a file that has shrunk fails the call.
public struct RequestBody: Sendable, Hashable {
  /// A piece of a body.
  public enum Segment: Sendable, Hashable {
    /// Bytes in memory.
    case bytes(Data)
    /// The first `size` bytes of the regular file at a path.
    case file(path: String, size: Int)

    /// The length in bytes.
    public var size: Int {
      switch self {
      case .bytes(let data): data.count
      case .file(_, let size): size
      }
    }
  }

  /// The pieces in order. None is empty, and adjacent pieces in memory are joined.
  public let segments: [Segment]
  /// The length in bytes.
  public let size: Int

  /// Creates a body from bytes in memory.
  public init(_ data: Data) {
    self.init(segments: [.bytes(data)])
  }

  /// Creates a body from a file.
  ///
  /// - Throws: ``NetworkError/Code/encoding`` unless it is a readable regular file.
  public init(file path: String) throws(NetworkError) {
    self.init(segments: [try Segment(file: path)])
  }

  /// Creates a body from segments.
  public init(segments: [Segment]) {
    var joined: [Segment] = []
    for segment in segments where segment.size > 0 {
      if case .bytes(let more) = segment, case .bytes(let data)? = joined.last {
        joined[joined.count - 1] = .bytes(data + more)
      } else {
        joined.append(segment)
      }
    }
    self.segments = joined
    size = joined.reduce(0) { $0 + $1.size }
  }

  /// The bytes; nil if a file holds some of them.
  public var data: Data? {
    switch segments.first {
    case nil: Data()
    case .bytes(let data)? where segments.count == 1: data
    default: nil
    }
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { size == 0 }
}

extension RequestBody.Segment {
  init(file path: String) throws(NetworkError) {
    do {
      self = .file(path: path, size: try OpenFile.reading(path).status().size)
    } catch {
      throw .unreadable(error)
    }
  }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
  /// The length.
  public var description: String { "\(size) bytes" }

  /// Shows ``description`` only, because a body can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestBody.Segment: CustomStringConvertible, CustomReflectable {
  /// The kind and the length.
  public var description: String {
    switch self {
    case .bytes(let data): "\(data.count) bytes"
    case .file(_, let size): "\(size) bytes of a file"
    }
  }

  /// Shows ``description`` only, because a body can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension NetworkError {
  static func unreadable(_ failure: FileFailure) -> NetworkError {
    NetworkError(.encoding, "the file can't be sent: \(failure)", underlying: failure)
  }
}

/// Reads a body piece by piece. For one thread at a time.
package final class RequestBodyReader {
  private let segments: [RequestBody.Segment]
  private var index = 0
  private var offset = 0
  private var file: OpenFile?

  package init(_ body: RequestBody) {
    segments = body.segments
  }

  /// Fills the buffer; less only at the end of the body. Throws if a file has fewer bytes than announced.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
    var filled = 0
    while filled < buffer.count, index < segments.count {
      let count = min(buffer.count - filled, segments[index].size - offset)
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
      let read = try unsafe read(segments[index], into: room)
      filled += read
      offset += read
      if offset == segments[index].size { move(to: index + 1, offset: 0) }
    }
    return filled
  }

  /// Returns false for a position outside the body.
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
      unsafe data.copyBytes(to: buffer, from: start..<start + buffer.count)
      return buffer.count
    case .file(let path, _):
      do throws(FileFailure) {
        let count = try unsafe open(path).read(into: buffer, at: offset)
        // The server would wait for the rest of the announced bytes.
        guard count > 0 else { throw FileFailure(path, "it became shorter while being sent") }
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
