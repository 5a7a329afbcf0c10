import StyledText
import Testing

@testable import IssuesCommand

@Suite("Hyperlinks")
struct HyperlinksTests {
  private func areShown(
    _ own: [String: String], isTerminal: Bool = true, hasPager: Bool = false,
    color: ColorChoice = .automatic
  ) -> Bool {
    let environment = ["TERM": "xterm-256color"].merging(own) { $1 }
    let style = OutputStyle(
      terminal: TerminalCapabilities(isTerminal: isTerminal, columns: 80),
      environment: environment, color: color)
    return Hyperlinks.areShown(style: style, hasPager: hasPager, environment: environment)
  }

  @Test(
    "terminals known to support hyperlinks get them",
    arguments: [
      ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.1.0"],
      ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.5.14"],
      ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"],
      ["TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.101.0"],
      ["TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.2.0"], ["TERM_PROGRAM": "zed"],
      ["VTE_VERSION": "5001"], ["VTE_VERSION": "7600"], ["KITTY_WINDOW_ID": "1"],
      ["WT_SESSION": "b1f2"], ["TERM": "xterm-kitty"], ["TERM": "alacritty"],
    ])
  func known(environment: [String: String]) {
    #expect(areShown(environment))
  }

  @Test(
    "other terminals and multiplexers get no hyperlinks",
    arguments: [
      [:], ["TERM_PROGRAM": "Apple_Terminal", "TERM_PROGRAM_VERSION": "455"],
      ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.0.15"],
      ["TERM_PROGRAM": "iTerm.app"], ["TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.71.2"],
      ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20200503-171512-b13ef15f"],
      ["VTE_VERSION": "5000"], ["VTE_VERSION": "4803"], ["VTE_VERSION": "x"], ["VTE_VERSION": ""],
      ["KITTY_WINDOW_ID": ""],
      ["TMUX": "/tmp/tmux-0/default,1,0", "VTE_VERSION": "7600"],
      ["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"],
      ["TERM": "screen", "WT_SESSION": "b1f2"],
      ["TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.5"],
    ])
  func unknown(environment: [String: String]) {
    #expect(!areShown(environment))
  }

  @Test("FORCE_HYPERLINK turns hyperlinks on or off, on a terminal")
  func forced() {
    let kitty = ["KITTY_WINDOW_ID": "1"]
    #expect(areShown(["FORCE_HYPERLINK": "1"]))
    #expect(areShown(["FORCE_HYPERLINK": "1"], hasPager: true))
    #expect(!areShown(kitty.merging(["FORCE_HYPERLINK": "0"]) { $1 }))
    #expect(areShown(kitty.merging(["FORCE_HYPERLINK": ""]) { $1 }))
    #expect(!areShown(["FORCE_HYPERLINK": "1"], isTerminal: false))
    #expect(!areShown(["FORCE_HYPERLINK": "1", "TERM": "dumb"], color: .always))
  }

  @Test("there are no hyperlinks in a pipe, in a pager, on a dumb terminal, or without styles")
  func never() {
    let kitty = ["KITTY_WINDOW_ID": "1"]
    #expect(areShown(kitty))
    #expect(!areShown(kitty, isTerminal: false, color: .always))
    #expect(!areShown(kitty, hasPager: true))
    #expect(!areShown(kitty, color: .never))
    #expect(!areShown(kitty.merging(["NO_COLOR": "1"]) { $1 }))
    #expect(!areShown(kitty.merging(["TERM": "dumb"]) { $1 }, color: .always))
  }
}
