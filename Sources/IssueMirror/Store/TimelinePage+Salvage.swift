internal import GitHubAPI
internal import HTTPTargets

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension TimelinePage {
  /// Reads a page entry by entry where it can't be read as a whole: what can't be read is set aside, so that it isn't
  /// in the way of the others.
  ///
  /// - Parameters:
  ///   - body: The bytes of the answer.
  ///   - timeline: Which time line it is of.
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` when it isn't a list, or when an entry doesn't even have a
  ///   number and an id.
  package init(salvaging body: Data, of timeline: Timeline) throws(NetworkError) {
    let failure: NetworkError
    do throws(NetworkError) {
      try self.init(body, of: timeline)
      return
    } catch {
      failure = error
    }
    var entries: [Entry] = []
    var unreadable: [Unreadable] = []
    guard let elements = Self.elements(of: body) else { throw failure }
    for element in elements {
      do throws(NetworkError) {
        entries += try TimelinePage(Data("[".utf8) + element + Data("]".utf8), of: timeline).entries
      } catch {
        guard let header = try? GitHubJSON.decode(Header.self, from: element),
          let number = header.number, number > 0, let id = header.id
        else { throw failure }
        let reason = error.underlying.map { "\($0)" } ?? error.message
        unreadable.append(
          Unreadable(number: number, id: id, updatedAt: header.updatedAt, reason: reason))
      }
    }
    self.init(entries, unreadable: unreadable, of: timeline)
  }

  /// The bytes of each element of an array; nil where there is none, or where it has too many.
  private static func elements(of body: Data) -> [Data]? {
    body.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      var elements: [Data] = []
      do throws(JSONReader.Problem) {
        try reader.beginArray()
        while try reader.nextElement() {
          guard elements.count < TimelineDecoder.mostEntries else { return nil }
          let start = try reader.start()
          try reader.skip()
          elements.append(
            body[(body.startIndex + start)..<(body.startIndex + reader.position)])
        }
        try reader.end()
        return elements
      } catch {
        return nil
      }
    }
  }

  /// What an entry is told from others by.
  private struct Header: Decodable {
    let id: Int64?
    let number: Int?
    let updatedAt: Int?

    private enum CodingKeys: String, CodingKey {
      case id, number
      case updatedAt = "updated_at"
      case issueURL = "issue_url"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try? container.decode(Int64.self, forKey: .id)
      let issue = try? container.decode(String.self, forKey: .issueURL)
      number =
        (try? container.decode(Int.self, forKey: .number))
        ?? issue?.split(separator: "/").last.flatMap { Int($0) }
      let time = try? container.decode(String.self, forKey: .updatedAt)
      updatedAt = time.flatMap(Timestamp.date(from:)).map {
        Int($0.timeIntervalSince1970.rounded(.down))
      }
    }
  }
}
