import HTTPTargets
import PlatformModules
import Testing

@Suite("NetworkError")
struct NetworkErrorTests {
  private func caught(_ error: any Error) -> String {
    do {
      throw error
    } catch NetworkError.Code.statusCode {
      return "pattern"
    } catch let error as NetworkError where error.code == .rateLimited {
      return "where"
    } catch {
      return "other"
    }
  }

  @Test("an error's code can be matched by a pattern and by a comparison")
  func catching() {
    #expect(caught(NetworkError(.statusCode, "")) == "pattern")
    #expect(caught(NetworkError(.rateLimited, "")) == "where")
    #expect(caught(NetworkError(.timedOut, "")) == "other")
    #expect(caught(CancellationError()) == "other")
  }

  @Test("a typed throw can be compared without a cast")
  func typed() {
    var seen: NetworkError.Code?
    do throws(NetworkError) {
      throw .cancelled
    } catch  where error.code == .cancelled {
      seen = error.code
    } catch {
      Issue.record("\(error)")
    }
    #expect(seen == .cancelled)
  }

  @Test("a custom code can be created and matched")
  func ownCode() {
    let code = NetworkError.Code(rawValue: "zooClosed")
    let error: any Error = NetworkError(code, "the zoo is closed")
    #expect(code ~= error)
    #expect(!(NetworkError.Code.cancelled ~= error))
    #expect("\(error)" == "zooClosed: the zoo is closed")
  }

  @Test("two errors are equal if everything except the underlying error is equal")
  func equality() {
    let response = TargetResponse(request: TargetRequest(url: "https://zoo.example"), status: 404)
    let error = NetworkError(.statusCode, "no", response: response)
    #expect(error == NetworkError(.statusCode, "no", response: response, underlying: Gone()))
    var others = [error, error, error, error, error]
    others[0].code = .decoding
    others[1].message = "yes"
    others[2].response?.status = 410
    others[3].attempts = 2
    others[4].bytesSent = 0
    for other in others { #expect(other != error) }
  }

  @Test("Foundation describes an error by its message")
  func localized() {
    let error: any LocalizedError = NetworkError(.timedOut, "the server fell silent")
    #expect(error.errorDescription == "the server fell silent")
  }

  @Test("a custom error is the underlying error, wherever it is thrown")
  func own() async throws {
    struct Failing: Interceptor {
      let error: any Error
      func intercept(_ request: TargetRequest, call: TargetCall, next: Next) async throws
        -> TargetResponse
      {
        throw error
      }
    }
    func providers(_ error: any Error) -> [Provider<Zoo>] {
      let transport = RecordingTransport()
      return [
        Provider(endpointClosure: { _ in throw error }, transport: transport),
        Provider(requestClosure: { _ in throw error }, transport: transport),
        Provider(plugins: [Plugin(prepare: { _, _ in throw error })], transport: transport),
        Provider(plugins: [Plugin(process: { _, _ in throw error })], transport: transport),
        Provider(interceptors: [Failing(error: error)], transport: transport),
      ]
    }
    for provider in providers(Gone()) {
      let error = try #require(
        await #expect(throws: NetworkError.self) { try await provider.request(Zoo()) })
      #expect(error.code == .underlying)
      #expect(error.underlying is Gone)
    }
    for provider in providers(CancellationError()) {
      #expect(await provider.outcome(Zoo()).word == "cancelled")
    }
    for provider in providers(NetworkError(.rateLimited, "wait")) {
      #expect(await provider.outcome(Zoo()).word == "rateLimited")
    }
  }

  @Test("a custom error that quotes a token doesn't reveal it")
  func quoting() async throws {
    struct Quoting: Error { var token: String }
    let target = Zoo(headers: [.authorization: "Bearer hunter2hunter2"])
    let plugin = Plugin(prepare: { request, _ in
      throw Quoting(token: request.headers[.authorization] ?? "")
    })
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await Provider<Zoo>(plugins: [plugin], transport: RecordingTransport()).request(target)
      })
    #expect(!"\(error)".contains("hunter2"))
  }

  private struct Gone: Error {}

  @Test("an error contains the transport's failure and the phase that timed out")
  func details() {
    let failure = TransportFailure(.certificate, code: 60)
    #expect(NetworkError.transport(failure, "").transportFailure == failure)
    #expect(NetworkError.transport(failure, "").code == .transport)
    #expect(NetworkError.timedOut(.connect, "").timedOutPhase == .connect)
    #expect(NetworkError.timedOut(.connect, "").code == .timedOut)
    #expect(NetworkError.cancelled.code == .cancelled)
  }
}
