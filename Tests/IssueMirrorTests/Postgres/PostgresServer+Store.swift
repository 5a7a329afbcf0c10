import IssueMirrorPostgres
import TestSupport

extension PostgresServer {
  /// An empty mirror.
  static func makeStore() async throws -> StoreUnderTest {
    let (server, schema) = (try await running(), newSchema())
    let mirror = try await PostgresMirror(connecting: server.address, schema: schema)
    return StoreUnderTest(store: mirror, keeping: server) {
      try await PostgresMirror(connecting: server.address, schema: schema)
    }
  }
}
