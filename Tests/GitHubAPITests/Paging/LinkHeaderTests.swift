import Testing

@testable import GitHubAPI

@Suite("LinkHeader")
struct LinkHeaderTests {
  @Test(
    "the link to the next page is found",
    arguments: [
      (#"<https://a/x?page=2>; rel="next""#, "https://a/x?page=2"),
      (
        #"<https://a/1>; rel="prev", <https://a/3>; rel="next", <https://a/9>; rel="last""#,
        "https://a/3"
      ),
      (#"<https://a/3>;rel=next"#, "https://a/3"),
      (#"  <https://a/3>  ;  REL  =  "Next"  "#, "https://a/3"),
      (#"<https://a/3>; rel="last next""#, "https://a/3"),
      (#"<https://a/3>; title="a, <https://evil/>; rel=\"next\""; rel="next""#, "https://a/3"),
      (#"<https://a/x?after=Y3Vyc29y%3D,2;b>; rel="next""#, "https://a/x?after=Y3Vyc29y%3D,2;b"),
      (#"</relative?page=2>; rel="next""#, "/relative?page=2"),
      (#", ,<https://a/3>; rel="next", ,"#, "https://a/3"),
      (
        #"<https://docs/>; rel="deprecation"; type="text/html", <https://a/3>; rel="next""#,
        "https://a/3"
      ),
      (#"junk, <https://a/3>; rel="next""#, "https://a/3"),
      (#"<https://a/1>; rel="prev" junk, <https://a/3>; rel="next""#, "https://a/3"),
      (#"<https://a/3>; foo; bar=; rel=next"#, "https://a/3"),
      (#"<https://a/3>; ;; rel="next";"#, "https://a/3"),
      (#"<https://a/3>; rel="ne\xt""#, "https://a/3"),
      (#"<>; rel="next""#, ""),
    ])
  func next(value: String, target: String) {
    #expect(LinkHeader([value]).next == target)
  }

  @Test(
    "a header without a valid next link has no next page",
    arguments: [
      "", " ", ",", ";", "<", ">", "<>", "\"", "\\", "<https://a/3", "https://a/3; rel=next",
      #"<https://a/3>"#, #"<https://a/3>; rel"#, #"<https://a/3>; rel="""#,
      #"<https://a/3> rel="next""#,
      #"<https://a/3>; rel="nextpage""#, #"<https://a/3>; rel="prev"; rel="next""#,
      #"<https://a/3>; rel; rel="next""#, #"<https://a/3>; rev="next""#,
      #"<https://a/3>; title=", rel=next"#,
      #"<https://a/3>; title="\"#, #"<https://a/3>; anchor="/other"; rel="next""#,
      #"<https://docs/>; rel="deprecation""#, #"title="<https://a/3>; rel=next""#,
    ])
  func noNext(value: String) {
    #expect(LinkHeader([value]).next == nil)
  }

  @Test("several fields are parsed in order, and the first link of a relation counts")
  func fields() {
    let header = LinkHeader([
      #"<https://a/1>; rel="first""#, #"<https://a/2>; rel="next", <https://a/3>; rel="next""#,
    ])
    #expect(header.links.map(\.target) == ["https://a/1", "https://a/2", "https://a/3"])
    #expect(header.next == "https://a/2")
    #expect(header.target(of: "FIRST") == "https://a/1")
    #expect(LinkHeader([]).links.isEmpty)
  }

  @Test("relations and parameters are parsed")
  func parameters() {
    let header = LinkHeader([
      #"<u>; rel="next  https://example.com/Rel"; Title="a \"b\", c;d"; x; REL=prev"#
    ])
    #expect(
      header.links == [
        LinkHeader.Link(
          target: "u",
          parameters: [
            .init(name: "rel", value: "next  https://example.com/Rel"),
            .init(name: "title", value: #"a "b", c;d"#), .init(name: "x", value: ""),
            .init(name: "rel", value: "prev"),
          ])
      ])
    #expect(header.links.first?.relations == ["next", "https://example.com/rel"])
  }

  @Test("a header that is truncated or lacks any one byte is parsed to its end")
  func damaged() {
    let value = #"<https://a/1>; rel="prev"; title="x\"y, z", <https://a/3>; rel="next""#
    let bytes = Array(value.utf8)
    for index in bytes.indices {
      let prefix = LinkHeader([String(decoding: bytes[..<index], as: UTF8.self)])
      #expect(prefix.links.count <= 2)
      var rest = bytes
      rest.remove(at: index)
      #expect(LinkHeader([String(decoding: rest, as: UTF8.self)]).links.count <= 2)
    }
  }

  @Test("a header beyond the length limit is ignored, and hostile repetition is parsed quickly")
  func bounded() {
    let link = #"<https://a/3>; rel="next""#
    #expect(
      LinkHeader([String(repeating: "x", count: LinkHeader.maximumLength), link]).next == nil)
    for part in ["<", "<,", "<>", "<>;", ";", "\"", "\"\\", ",", "<>;a=\"", "=", " "] {
      let value = String(repeating: part, count: LinkHeader.maximumLength / part.utf8.count)
      #expect(LinkHeader([value]).next == nil)
    }
  }
}
