import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("URL in place of strings")
struct URLOverloadsTests {
  private let site = "https://zoo.example/a%20b?q=1"

  @Test("a URL is the base of a request, byte for byte")
  func requests() throws {
    let url = try #require(URL(string: site))
    #expect(TargetRequest(url: url) == TargetRequest(url: site))
    #expect(
      try Endpoint(Zoo(), baseURL: url).url == "https://zoo.example/a%20b/animals?q=1")
  }

  @Test("a file URL is a file or a folder for bodies and downloads")
  func files() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Data("giraffe".utf8), to: "a b")
    let file = URL(filePath: path)
    #expect(try RequestBody(file: file) == RequestBody(file: path))
    #expect(MultipartPart("a", file: file).content == .file(path))
    let upload = Zoo(method: .put, task: .uploadFile(file))
    #expect(try await upload.request().body?.collect() == Data("giraffe".utf8))
    let parent = String(path.dropLast("/a b".count))
    let directory = URL(filePath: parent, directoryHint: .isDirectory)
    for task in [
      HTTPTask.download(to: file), .plain.downloading(to: file), .download(into: directory),
      .plain.downloading(into: directory),
    ] {
      let provider = Provider<Zoo>(
        transport: RecordingTransport { _ in .reply(body: "zebra") })
      let written = try await provider.request(Zoo(task: task)).file
      #expect(try Data(contentsOf: URL(filePath: #require(written))) == Data("zebra".utf8))
      #expect(written?.hasPrefix("\(parent)/") == true && written?.contains("//") == false)
    }
  }

  @Test("a URL that isn't a file's never leads to a local file with the same path")
  func notAFile() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Data("secret".utf8), to: "secret")
    let url = try #require(URL(string: "https://zoo.example\(path)"))
    let error = #expect(throws: NetworkError.self) { try RequestBody(file: url) }
    #expect(error?.code == .encoding && error?.message.contains("zoo.example") == true)
  }
}
