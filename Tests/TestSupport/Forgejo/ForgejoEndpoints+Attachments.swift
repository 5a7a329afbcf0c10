internal import PlatformModules

/// Files of issues and comments.
extension ForgejoEndpoints {
  /// Keeps the file in the field `attachment` of a form.
  func upload(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    try requireLife(of: place)
    guard let part = formPart("attachment") else {
      throw ForgejoRefusal(400, "http: no such file")
    }
    guard part.bytes.count <= configuration.attachmentSize else {
      throw ForgejoRefusal(413, "http: request body too large")
    }
    let name = request.queryValue("name") ?? part.fileName
    let (id, uuid, url) = github.attachments.update { all in
      let digits = String(all.count + 1, radix: 16)
      let uuid =
        "5e1f0000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
      let url = "\(json.root)/attachments/\(uuid)"
      all.append(
        LoopbackAttachment(
          name: name, contentType: part.contentType, bytes: part.bytes,
          repository: place.repository.id, url: url))
      return (all.count, uuid, url)
    }
    return answer(
      """
      {"id":\(id),"name":\(JSONText.string(name)),"size":\(part.bytes.count),"download_count":0,\
      "created_at":\(json.time(now)),"uuid":"\(uuid)","browser_download_url":"\(url)"\
      \(isForgejo ? ",\"type\":\"attachment\"" : "")}
      """, status: 201)
  }

  /// A file outside of the API.
  func attachment(at path: String) throws(ForgejoRefusal) -> LoopbackResponse {
    let found = github.attachments.current.first { isReading && $0.url == json.root + path }
    guard let found, github.repository(id: found.repository)?.isPrivate == false || token != nil
    else { throw .noRoute }
    return LoopbackResponse(headers: ["Content-Type": found.contentType], body: found.bytes)
  }

  /// A part of a form (RFC 7578).
  private func formPart(
    _ name: String
  ) -> (fileName: String, contentType: String, bytes: Data)? {
    let mark = "boundary="
    guard let type = request.headers["Content-Type"], type.hasPrefix("multipart/form-data"),
      let field = type.split(separator: ";").first(where: { $0.contains(mark) }),
      let boundary = field.split(separator: "=", maxSplits: 1).last
    else { return nil }
    let border = Data("--\(boundary.filter { $0 != "\"" })".utf8)
    var rest = request.body
    while let start = rest.firstRange(of: border) {
      rest = rest[start.upperBound...]
      guard let headEnd = rest.firstRange(of: Data("\r\n\r\n".utf8)),
        let end = rest.firstRange(of: Data("\r\n".utf8) + border),
        headEnd.upperBound <= end.lowerBound
      else { return nil }
      let lines = String(decoding: rest[..<headEnd.lowerBound], as: UTF8.self).split(
        separator: "\r\n")
      func value(_ field: String) -> String? {
        lines.first { $0.lowercased().hasPrefix("\(field):") }.map {
          String($0.dropFirst(field.count + 1).drop { $0 == " " })
        }
      }
      let disposition = value("content-disposition") ?? ""
      if disposition.contains(" name=\"\(name)\"") {
        let file = disposition.split(separator: "filename=\"").dropFirst().first?.prefix {
          $0 != "\""
        }
        return (
          file.map(String.init) ?? "file", value("content-type") ?? "application/octet-stream",
          Data(rest[headEnd.upperBound..<end.lowerBound])
        )
      }
      rest = rest[end.lowerBound...]
    }
    return nil
  }
}
