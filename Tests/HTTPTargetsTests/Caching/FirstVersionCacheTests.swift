import HTTPTypes
import PlatformModules
import TestSupport
import Testing

@testable import HTTPTargets

/// A response as 0.1.0 kept it, byte by byte. A later version may keep responses in another form, but then under other
/// names: a name that it reads has a form that it knows.
@Suite("A response stored by 0.1.0", .timeLimit(.minutes(5)))
struct FirstVersionCacheTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  @Test("a response stored by 0.1.0 is found complete under its name")
  func kept() async throws {
    let file = try #require(Data(base64Encoded: Self.file))
    try FileManager.default.createDirectory(
      atPath: scratch["cache"], withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try scratch.write(file, to: "cache/\(Self.name)")
    let store = DiskResponseStore(folder: scratch["cache"])
    #expect(try await store.contents() == DiskResponseStore.Contents(files: 1, bytes: file.count))
    #expect(await store.response(for: try .animals()) == Self.response)
  }

  @Test("this version stores a response in the same file as 0.1.0")
  func keeps() async throws {
    let store = DiskResponseStore(folder: scratch["cache"], patience: .seconds(60))
    await store.store(Self.response, for: try .animals())
    await store.flush()
    #expect(scratch.contents("cache/\(Self.name)")?.base64EncodedString() == Self.file)
  }

  private static let response = StoredResponse(
    url: "https://zoo.example/cages/animals", redirects: ["https://zoo.example/animals"],
    headers: [.eTag: "\"1\"", .vary: "Accept", .contentType: "text/plain"],
    body: Data("cats, dögs".utf8), variant: "Accept")

  private static let name = "dae8d7707563e155a77447a0f045cf03.response"
  private static let file = """
    iUhUVFByMQrKAAAACwAAAHRstELuyA5dGxvrVjsQBJExAAAAR0VUIGh0dHBzOi8vem9vLmV4YW1wbGUvYW5pbWFs\
    cwpjcmVkZW50aWFsczogbm9uZQYAAABBY2NlcHQhAAAAaHR0cHM6Ly96b28uZXhhbXBsZS9jYWdlcy9hbmltYWxz\
    AQAAABsAAABodHRwczovL3pvby5leGFtcGxlL2FuaW1hbHMDAAAABAAAAEVUYWcDAAAAIjEiBAAAAFZhcnkGAAAA\
    QWNjZXB0DAAAAENvbnRlbnQtVHlwZQoAAAB0ZXh0L3BsYWluY2F0cywgZMO2Z3M=
    """
}
