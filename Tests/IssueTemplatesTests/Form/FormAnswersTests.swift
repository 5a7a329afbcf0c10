import IssueTemplates
import Testing

@Suite("Answers to a form")
struct FormAnswersTests {
  private func answers() throws -> FormAnswers {
    FormAnswers(to: try IssueForm(parsing: FormParsingTests.whole, fileName: "bug.yml"))
  }

  @Test("the issue text has a heading for each question, as on GitHub")
  func body() throws {
    var answers = try answers()
    try answers.set("contact", to: ["a@b.c"])
    try answers.set("logs", to: ["one\ntwo"])
    try answers.set("browsers", to: ["chrome", "Firefox"])
    try answers.set("terms", to: ["i agree"])
    #expect(
      answers.body == """
        ### Contact Details

        a@b.c

        ### What happened?

        A bug happened!

        ### Relevant log output

        ```shell
        one
        two
        ```

        ### Version

        1.0.3 (Edge)

        ### Browsers

        Firefox, Chrome

        ### Code of Conduct

        - [x] I agree
        - [ ] I read it

        ### Screenshot

        _No response_
        """)
  }

  @Test("unanswered questions have a remark, unchecked boxes, or an empty code block")
  func unanswered() throws {
    var answers = try answers()
    try answers.set("what-happened", to: ["  "])
    try answers.set("version", to: [])
    #expect(
      answers.body == """
        ### Contact Details

        _No response_

        ### What happened?

        _No response_

        ### Relevant log output

        ```shell

        ```

        ### Version

        _No response_

        ### Browsers

        _No response_

        ### Code of Conduct

        - [ ] I agree
        - [ ] I read it

        ### Screenshot

        _No response_
        """)
  }

  @Test("a code fence is longer than any fence in its text")
  func fences() throws {
    var answers = try answers()
    try answers.set("logs", to: ["a ```` b\n  ````\nc\n```"])
    #expect(answers.body.contains("`````shell\na ```` b\n  ````\nc\n```\n`````"))
    // Verbatim everywhere else, headings too.
    try answers.set("what-happened", to: ["### Version\n\n```\nx\n```"])
    #expect(answers.body.contains("### What happened?\n\n### Version\n\n```\nx\n```\n\n### Rel"))
  }

  @Test("an invalid answer is refused with the reason and changes nothing")
  func problems() throws {
    var answers = try answers()
    let before = answers
    func problem(_ id: String, _ answer: String...) -> String? {
      do throws(FormProblem) {
        try answers.set(id, to: answer)
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(
      problem("nope", "x")
        == "the form has no field “nope”; it has contact, what-happened, logs, version, browsers, terms, shot"
    )
    #expect(
      problem("version", "2.0")
        == "“version” has no option “2.0”; it has 1.0.2 (Default), 1.0.3 (Edge), No")
    #expect(problem("version", "No", "1.0.2 (default)") == "“version” accepts one answer")
    #expect(problem("contact", "a", "b") == "“contact” accepts one answer")
    #expect(problem("terms", "I don't")?.contains("has no option “I don't”") == true)
    #expect(answers == before)
    #expect(problem("version", "none") == nil && answers["version"].isEmpty)
  }

  @Test("required questions and boxes are missing until they are answered")
  func missing() throws {
    var answers = try answers()
    #expect(answers.missing.map(\.description) == ["“terms” requires a tick at “I agree”"])
    try answers.set("what-happened", to: [])
    #expect(
      answers.missing.map(\.description) == [
        "“what-happened” requires an answer (What happened?)",
        "“terms” requires a tick at “I agree”",
      ])
    try answers.set("what-happened", to: ["x"])
    try answers.set("terms", to: ["I agree"])
    #expect(answers.missing.isEmpty)
  }

  @Test("the answer to a one-line question is kept on one line")
  func lines() throws {
    var answers = try answers()
    try answers.set("contact", to: ["a\r\nb"])
    #expect(answers["contact"] == ["a b"])
  }

  @Test("the link to GitHub's page has the answers that the page accepts")
  func link() throws {
    var answers = try answers()
    try answers.set("contact", to: ["a&b c"])
    try answers.set("browsers", to: ["Chrome"])
    let link = TemplateLink(
      onPage: "https://github.com/o/r", answers: answers, title: "It crashes")
    #expect(
      link.url
        == "https://github.com/o/r/issues/new?template=bug.yml&title=It%20crashes&contact=a%26b%20c"
    )
    #expect(link.leftOut == ["browsers"])
    try answers.set("logs", to: [String(repeating: "é", count: 2_000)])
    let long = TemplateLink(onPage: "https://github.com/o/r", answers: answers)
    #expect(
      long.url.utf8.count <= TemplateLink.maximumLength && long.leftOut == ["logs", "browsers"])
    let blank = TemplateLink(onPage: "https://github.com/o/r", body: "text")
    #expect(blank.url == "https://github.com/o/r/issues/new?body=text")
  }
}
