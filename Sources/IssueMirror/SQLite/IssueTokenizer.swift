internal import GRDB

/// ``TokenScanner`` as SQLite calls it: <https://www.sqlite.org/fts5.html#custom_tokenizers>.
///
/// Documents and queries are taken apart alike. SQLite makes one for each table and connection, and a
/// connection is used by one thread at a time.
final class IssueTokenizer: FTS5CustomTokenizer {
  static let name = "issues"
  private let scanner = TokenScanner()

  init(db: Database, arguments: [String]) {}

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    guard let pText, nText > 0 else { return TokenScanner.proceed }
    let bytes = UnsafeRawBufferPointer(start: pText, count: Int(nText))
    return bytes.withMemoryRebound(to: UInt8.self) { text in
      scanner.scan(text) { token, isColocated, source in
        UnsafeRawBufferPointer(token).withMemoryRebound(to: CChar.self) { token in
          tokenCallback(
            context, isColocated ? FTS5TokenFlags.colocated.rawValue : 0, token.baseAddress,
            CInt(token.count), CInt(source.lowerBound), CInt(source.upperBound))
        }
      }
    }
  }
}
