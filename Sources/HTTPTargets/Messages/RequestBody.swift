#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The body of a request: bytes in memory, files, or one after the other.
///
/// Its size is known before anything is sent, so that it is announced (`Content-Length`) and never
/// chunked. It is a value that can be sent any number of times: a file is opened anew each time. A file
/// that has grown since then is sent up to the size that was announced; one that has shrunk fails the
/// call.
public struct RequestBody: Sendable, Hashable {
  /// A stretch of a body.
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

  /// What the body consists of, in order. No segment is empty, and no two stretches of memory follow
  /// each other: they are one.
  public let segments: [Segment]
  /// The length in bytes.
  public let size: Int

  /// Creates a body from bytes in memory.
  public init(_ data: Data) {
    self.init(segments: [.bytes(data)])
  }

  /// Creates a body from a file.
  ///
  /// - Throws: ``NetworkError/Code/encoding`` when it can't be read, or isn't a regular file.
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

  /// The bytes; nil when some of them are in a file.
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
  /// A whole file, of the size that it has now.
  ///
  /// - Throws: ``NetworkError/Code/encoding`` when it can't be read, or isn't a regular file.
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

  /// Shows what ``description`` shows: a body can hold secrets.
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

  /// Shows what ``description`` shows: a body can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension NetworkError {
  /// A file that was to be sent can't be.
  static func unreadable(_ failure: FileFailure) -> NetworkError {
    NetworkError(.encoding, "the file can't be sent: \(failure)", underlying: failure)
  }
}
