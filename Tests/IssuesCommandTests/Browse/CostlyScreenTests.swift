import TestSupport
import Testing

/// The screen against issues whose Markdown is made to keep it busy: no key waits for them.
extension CommandTests {
  @Suite(
    "The screen with costly text", .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct CostlyScreenTests {
    /// Texts of 64 KiB, as long as GitHub takes them.
    private static let texts = [
      "rows of dashes": "|" + repeated("-|", 1_024) + "\n" + repeated("word ", 3_000) + "\n"
        + repeated("|" + repeated("-|", 1_024) + "\n", 23),
      "open images": repeated("![", 16_384) + repeated("[a](b)", 5_461),
      "emphasis": repeated("*a **b ", 9_362),
      "quotations": repeated(">", 65_535),
      "emoji": repeated(":a: :+1: ", 7_281),
      "mail": repeated("a@a.a ", 10_922),
      "lines": repeated("a\\n\\n", 13_107),
      "cells": "|a|\\n|-|\\n" + repeated("|a|\\n", 13_000),
    ]

    private static func repeated(_ text: String, _ count: Int) -> String {
      String(repeating: text, count: count)
    }

    private static func handler(_ name: String) -> LoopbackServer.Handler {
      let text = (texts[name] ?? "").replacing("\n", with: "\\n")
      let all = (1...30).map { #"{"id":\#($0),"body":"\#(text)","user":{"login":"u"}}"# }
      let issue =
        #"{"id":1,"number":1,"title":"Costly","state":"open","comments":30,"body":"\#(text)"}"#
      let comments = "[" + all.joined(separator: ",") + "]"
      return { request in
        if request.path.hasSuffix("/comments") { return .json(comments) }
        if request.path.hasSuffix("/issues") { return .json("[\(issue)]") }
        return .json(#"{"id":1,"full_name":"a/b"}"#)
      }
    }

    @Test(
      "q and Ctrl-C work while thirty costly comments are laid out", arguments: texts.keys.sorted())
    func left(name: String) async throws {
      try await withLoopbackServer(answering: Self.handler(name)) { server in
        for quit in [["q", "q"], ["C-c"]] {
          let window = try await ScriptedScreenTests.window()
          try await ScriptedScreenTests.browse(window, server)
          window.type("a/b")
          window.press("Enter")
          try await window.see("▌● #1 ")
          window.press("Enter")
          _ = try await server.log.waitForRequest { $0.path.hasSuffix("/comments") }
          for key in quit { window.press(key) }
          try await window.see("the prompt") { $0.hasSuffix("\n$") }
        }
      }
    }
  }
}
