import IssueMirrorPostgres
import TestSupport

extension PostgresServer {
  /// An empty mirror, at another address if the server is behind a pooler.
  static func makeStore(address: String? = nil) async throws -> StoreUnderTest {
    let (server, schema) = (try await running(), newSchema())
    let address = address ?? server.address
    let mirror = try await PostgresMirror(connecting: address, schema: schema)
    return StoreUnderTest(store: mirror, keeping: server) {
      try await PostgresMirror(connecting: address, schema: schema)
    }
  }
}
