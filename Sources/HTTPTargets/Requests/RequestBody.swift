public import PlatformModules

/// The body of a request: a sequence of bytes in memory, files and streams.
///
/// The request announces the size (`Content-Length`), and is sent in chunks only if the size is unknown. The files are
/// opened again each time the body is sent. A file that has grown is sent up to the announced size; a file that has
/// shrunk fails the call.
public struct RequestBody: Sendable, Hashable {
  /// A segment of a body.
  package enum Segment: Sendable, Hashable {
    /// Bytes in memory.
    case bytes(Data)
    /// The first `size` bytes of the regular file at a path.
    case file(path: String, size: Int)
    /// Bytes that a sequence produces while they are sent.
    case stream(Stream)

    /// The length in bytes; nil if it is unknown in advance.
    package var size: Int? {
      switch self {
      case .bytes(let data): data.count
      case .file(_, let size): size
      case .stream(let stream): stream.size
      }
    }
  }

  /// The segments in order. Empty segments in memory and empty files are removed, and adjacent segments in memory are
  /// joined.
  package let segments: [Segment]
  /// The length in bytes; nil if it is unknown in advance.
  public let size: Int?

  /// Creates a body from bytes in memory.
  public init(_ data: Data) {
    self.init(segments: [.bytes(data)])
  }

  /// Creates a body from a file.
  ///
  /// - Throws: ``NetworkError/Code/encoding`` unless the path is that of a readable regular file.
  public init(file path: String) throws(NetworkError) {
    self.init(segments: [try Segment(file: path)])
  }

  /// Creates a body from a stream.
  public init(_ stream: Stream) {
    self.init(segments: [.stream(stream)])
  }

  /// Creates a body from segments.
  package init(segments: [Segment]) {
    var joined: [Segment] = []
    for segment in segments {
      switch (segment, joined.last) {
      case (.bytes(let data), _) where data.isEmpty: break
      case (.file(_, size: 0), _): break
      case (.bytes(let more), .bytes(let data)?): joined[joined.count - 1] = .bytes(data + more)
      default: joined.append(segment)
      }
    }
    self.segments = joined
    let sizes = joined.compactMap(\.size)
    size = sizes.count == joined.count ? sizes.reduce(0, +) : nil
  }

  /// The bytes; nil if some of them are in a file or come from a stream.
  public var data: Data? {
    switch segments.first {
    case nil: Data()
    case .bytes(let data)? where segments.count == 1: data
    default: nil
    }
  }

  /// Whether the body is known to be empty.
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
  public var description: String { size.map { "\($0) bytes" } ?? "a stream" }

  /// Shows only ``description``, because a body can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestBody.Segment: CustomStringConvertible, CustomReflectable {
  /// The kind and the length.
  package var description: String {
    switch self {
    case .bytes(let data): "\(data.count) bytes"
    case .file(_, let size): "\(size) bytes of a file"
    case .stream(let stream): stream.size.map { "\($0) bytes of a stream" } ?? "a stream"
    }
  }

  /// Shows only ``description``, because a body can hold secrets.
  package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension NetworkError {
  static func unreadable(_ failure: FileFailure) -> NetworkError {
    NetworkError(.encoding, "the file can't be sent: \(failure)", underlying: failure)
  }
}

/// Reads a body in parts. Use it from one thread at a time.
package final class RequestBodyReader {
  private let segments: [RequestBody.Segment]
  private let onBytes: @Sendable () -> Void
  private var index = 0
  private var offset = 0
  private var file: OpenFile?
  private var pump: StreamPump?

  /// Creates a reader. It calls `onBytes` on any thread when a stream continues after ``read(into:)`` has returned nil.
  package init(_ body: RequestBody, onBytes: @escaping @Sendable () -> Void) {
    segments = body.segments
    self.onBytes = onBytes
  }

  /// Fills the buffer, or only a part of it if the body ends or a stream has no more bytes yet. Returns 0 at the end of
  /// the body, and nil while a stream has no bytes. Throws if a file has fewer bytes than announced, or if a stream
  /// fails.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int? {
    var filled = 0
    while filled < buffer.count, index < segments.count {
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      guard let read = try unsafe read(segments[index], into: room) else {
        return filled == 0 ? nil : filled
      }
      filled += read
      offset += read
      // Only a stream reports its own end.
      if read == 0 || (pump == nil && offset == segments[index].size) {
        move(to: index + 1, offset: 0)
      }
    }
    return filled
  }

  /// Moves to a position. Returns false for a position outside the body, or inside or after a stream.
  package func seek(to position: Int) -> Bool {
    var rest = position
    for (index, segment) in segments.enumerated() {
      if case .stream = segment, rest > 0 { return false }
      if rest < segment.size ?? .max {
        move(to: index, offset: rest)
        return rest >= 0
      }
      rest -= segment.size ?? 0
    }
    move(to: segments.count, offset: 0)
    return rest == 0
  }

  private func move(to index: Int, offset: Int) {
    if index != self.index { file = nil }
    pump = nil
    self.index = index
    self.offset = offset
  }

  private func read(
    _ segment: RequestBody.Segment, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetworkError) -> Int? {
    switch segment {
    case .bytes(let data):
      let start = data.startIndex + offset
      let count = min(buffer.count, data.count - offset)
      unsafe data.copyBytes(to: buffer, from: start..<start + count)
      return count
    case .file(let path, let size):
      do throws(FileFailure) {
        let room = unsafe UnsafeMutableRawBufferPointer(
          rebasing: buffer.prefix(size - offset))
        let count = try unsafe open(path).read(into: room, at: offset)
        // Otherwise the server would wait for the rest of the announced bytes.
        guard count > 0 else { throw FileFailure(path, "it became shorter while being sent") }
        return count
      } catch {
        throw .unreadable(error)
      }
    case .stream(let stream):
      let pump = self.pump ?? StreamPump(stream, onBytes: onBytes)
      self.pump = pump
      return try unsafe pump.read(into: buffer)
    }
  }

  private func open(_ path: String) throws(FileFailure) -> OpenFile {
    if let file { return file }
    let file = try OpenFile.reading(path)
    self.file = file
    return file
  }
}

extension RequestBody {
  /// Reads the whole body into memory, for your own ``Transport``.
  ///
  /// - Throws: ``NetworkError/Code/encoding`` if a file can't be read or has fewer bytes than announced, or if a stream
  ///   fails.
  public func collect() async throws(NetworkError) -> Data {
    var collected = Data()
    for segment in segments {
      switch segment {
      case .bytes(let data): collected += data
      case .file(_, let size):
        let reader = RequestBodyReader(RequestBody(segments: [segment]), onBytes: {})
        var bytes = Data(count: size)
        let filled = unsafe bytes.withUnsafeMutableBytes { bytes in
          Result { () throws(NetworkError) in try unsafe reader.read(into: bytes) }
        }
        _ = try filled.get()
        collected += bytes
      case .stream(let stream):
        try await stream.read { collected += $0 }
      }
    }
    return collected
  }
}
