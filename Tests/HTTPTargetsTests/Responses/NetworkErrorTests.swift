import HTTPTargets
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

  @Test("a code is caught by pattern and by comparison")
  func catching() {
    #expect(caught(NetworkError(.statusCode, "")) == "pattern")
    #expect(caught(NetworkError(.rateLimited, "")) == "where")
    #expect(caught(NetworkError(.timedOut, "")) == "other")
    #expect(caught(CancellationError()) == "other")
  }

  @Test("where throws are typed, the comparison needs no cast")
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

  @Test("a code of one's own doesn't need this package")
  func ownCode() {
    let code = NetworkError.Code(rawValue: "zooClosed")
    let error: any Error = NetworkError(code, "the zoo is closed")
    #expect(code ~= error)
    #expect(!(NetworkError.Code.cancelled ~= error))
    #expect("\(error)" == "zooClosed: the zoo is closed")
  }

  @Test("what the transport reports and the step that took too long come with the error")
  func details() {
    let failure = TransportFailure(.certificate, code: 60)
    #expect(NetworkError.transport(failure, "").transportFailure == failure)
    #expect(NetworkError.transport(failure, "").code == .transport)
    #expect(NetworkError.timedOut(.connect, "").timedOutPhase == .connect)
    #expect(NetworkError.timedOut(.connect, "").code == .timedOut)
    #expect(NetworkError.cancelled.code == .cancelled)
  }
}
