internal import PlatformModules

extension LoopbackResponse {
  /// The answer to `request` as pauses and bytes.
  ///
  /// Head and body are one piece, and so one write, unless something happens between them.
  func wireSteps(for request: LoopbackRequest) -> [Step] {
    if let steps { return steps }
    let steps = uninterruptedSteps(for: request)
    return interruption.map { Self.interrupt(steps, $0) } ?? steps
  }

  private func uninterruptedSteps(for request: LoopbackRequest) -> [Step] {
    var steps: [Step] = []
    if let beforeHead { steps.append(.pause(beforeHead)) }

    let chunked = isChunked(for: request)
    let closes = closesAfterwards(request)
    let hasBody = request.method != "HEAD" && status != 204 && status != 304 && status >= 200
    var bytes = head(closes: closes, chunked: chunked)

    if hasBody {
      if let beforeBody {
        steps.append(.send(bytes))
        steps.append(.pause(beforeBody))
        bytes = Data()
      }
      let slices = bodySlices()
      for (index, slice) in slices.enumerated() {
        if index > 0, let betweenSlices {
          steps.append(.send(bytes))
          steps.append(.pause(betweenSlices))
          bytes = Data()
        } else if index > 0, sliceSize != nil {
          steps.append(.send(bytes))
          bytes = Data()
        }
        if chunked {
          bytes.append(contentsOf: "\(String(slice.count, radix: 16))\r\n".utf8)
          bytes.append(slice)
          bytes.append(contentsOf: "\r\n".utf8)
        } else {
          bytes.append(slice)
        }
      }
      if chunked { bytes.append(contentsOf: "0\r\n\r\n".utf8) }
    }
    if !bytes.isEmpty { steps.append(.send(bytes)) }
    if closes { steps.append(.close) }
    return steps
  }

  /// Puts a step into the middle of the sent bytes. Pauses before it stay.
  private static func interrupt(_ steps: [Step], _ interruption: Interruption) -> [Step] {
    let bytes = steps.reduce(into: Data()) { bytes, step in
      if case .send(let data) = step { bytes.append(data) }
    }
    let headEnd = bytes.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound ?? bytes.endIndex
    var rest =
      switch interruption.place {
      case .beforeHead: 0
      case .insideHead: headEnd / 2
      case .afterHead: headEnd
      case .insideBody: headEnd + (bytes.count - headEnd) / 2
      }
    var result: [Step] = []
    for (index, step) in steps.enumerated() {
      guard case .send(let data) = step else {
        result.append(step)
        continue
      }
      guard rest <= data.count else {
        rest -= data.count
        result.append(step)
        continue
      }
      if rest > 0 { result.append(.send(Data(data.prefix(rest)))) }
      result.append(interruption.step)
      if rest < data.count { result.append(.send(Data(data.dropFirst(rest)))) }
      return result + steps[(index + 1)...]
    }
    return result + [interruption.step]
  }

  private func isChunked(for request: LoopbackRequest) -> Bool {
    if case .chunked = framing { return request.version != "HTTP/1.0" }
    return false
  }

  private func closesAfterwards(_ request: LoopbackRequest) -> Bool {
    if closesConnection || !request.keepsAlive { return true }
    return switch framing {
    case .contentLength: false
    case .chunked: request.version == "HTTP/1.0"
    case .declaredLength(let length): length != body.count
    case .untilClose: true
    }
  }

  private func head(closes: Bool, chunked: Bool) -> Data {
    var text = "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n"
    for field in headers {
      text += "\(field.name): \(field.value)\r\n"
    }
    if chunked {
      if headers["Transfer-Encoding"] == nil { text += "Transfer-Encoding: chunked\r\n" }
    } else if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
      switch framing {
      case .contentLength, .chunked:
        // A 304 may give the length of the body that it lacks; a 204 must not (RFC 9110, 8.6).
        if status != 204, status != 304 { text += "Content-Length: \(body.count)\r\n" }
      case .declaredLength(let length): text += "Content-Length: \(length)\r\n"
      case .untilClose: break
      }
    }
    if closes, headers["Connection"] == nil { text += "Connection: close\r\n" }
    text += "\r\n"
    var head = Data(capacity: text.utf8.count + body.count + 16)
    head.append(contentsOf: text.utf8)
    return head
  }

  private func bodySlices() -> [Data] {
    guard let sliceSize, sliceSize > 0 else { return body.isEmpty ? [] : [body] }
    return stride(from: body.startIndex, to: body.endIndex, by: sliceSize).map { start in
      body[start..<min(start + sliceSize, body.endIndex)]
    }
  }
}

/// The reason phrases of the status codes that GitHub and HTTP caches use (RFC 9110, section 15).
enum ReasonPhrase {
  static func of(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 410: "Gone"
    case 422: "Unprocessable Entity"
    case 429: "Too Many Requests"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Status"
    }
  }
}
