extension ManualPage {
  /// The page for `man`, in the macros of man(7), which all implementations support. The date is a day, such as
  /// 2026-01-31.
  func roff(date: String, version: String) -> String {
    // mandoc can't read a date that contains character names.
    let day = Roff.escaped(date).replacing(#"\-"#, with: "-")
    var lines = [
      #".TH "\#(Roff.escaped(name.uppercased()))" "1" "\#(day)" "#
        + #""issues \#(Roff.escaped(version))" "Manual of issues""#,
      ".SH NAME", Roff.line("\(name) - \(briefly)"),
      ".SH SYNOPSIS",
    ]
    for (index, usage) in synopsis.enumerated() {
      if index > 0 { lines.append(".br") }
      let command = usage.prefix { $0.isLowercase || $0 == " " || $0 == "-" }
      let typed = command.trimmed
      lines.append(#"\fB\#(Roff.escaped(typed))\fR"# + Roff.usage(usage.dropFirst(typed.count)))
    }
    for section in sections + sharedSections {
      lines.append(#".SH "\#(Roff.escaped(section.title))""#)
      lines += Roff.lines(section.blocks)
      for part in section.parts {
        lines.append(#".SS "\#(Roff.escaped(part.titleOfSentence))""#)
        lines += Roff.lines(part.blocks)
      }
    }
    if !related.isEmpty {
      lines.append(#".SH "SEE ALSO""#)
      lines.append(
        related.map { #"\fB\#(Roff.escaped(Self.name(of: $0)))\fR(1)"# }
          .joined(separator: ",\n"))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

enum Roff {
  /// Plain text: every character with a meaning in roff is replaced by its name.
  ///
  /// A hyphen becomes a minus sign, so that options can be copied and searched for.
  static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += #"\(rs"#
      case "-": escaped += #"\-"#
      case "'": escaped += #"\(aq"#
      case "`": escaped += #"\(ga"#
      case "^": escaped += #"\(ha"#
      case "~": escaped += #"\(ti"#
      case "\"": escaped += #"\(dq"#
      case " "..."~": escaped.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7F}"..<"\u{A0}": escaped += " "
      default:
        let number = String(scalar.value, radix: 16, uppercase: true)
        escaped += #"\[u"# + String(repeating: "0", count: max(4 - number.count, 0)) + "\(number)]"
      }
    }
    return escaped
  }

  /// A line of text that can't be interpreted as a request.
  static func line(_ text: String, escaping: (String) -> String = escaped) -> String {
    let line = escaping(text)
    return line.hasPrefix(".") ? #"\&"# + line : line
  }

  /// A usage or the names of an option: literal text is bold, and the names of values are slanted.
  static func usage(_ text: some StringProtocol) -> String {
    var roff = ""
    var rest = text[...]
    var beginsWord = true
    while let character = rest.first {
      if character == "<", let end = rest.firstIndex(of: ">") {
        roff += #"\fI\#(escaped(rest.dropFirst()[..<end]))\fR"#
        rest = rest[rest.index(after: end)...]
        beginsWord = false
      } else if beginsWord, character == "-" {
        let option = rest.prefix { $0 == "-" || $0.isLetter || $0.isNumber }
        roff += #"\fB\#(escaped(option))\fR"#
        rest = rest.dropFirst(option.count)
        beginsWord = false
      } else {
        roff += escaped(String(character))
        rest.removeFirst()
        beginsWord = " /|[(,".contains(character)
      }
    }
    return roff
  }

  static func lines(_ blocks: [ManualBlock]) -> [String] {
    var lines: [String] = []
    for (index, block) in blocks.enumerated() {
      switch block {
      case .paragraph(let text):
        if index > 0 { lines.append(".PP") }
        lines.append(line(text))
      case .lines(let kept):
        if index > 0 { lines.append(".PP") }
        lines += [".RS 4", ".nf"] + kept.map { line($0) } + [".fi", ".RE"]
      case .entries(let entries):
        for entry in entries {
          lines += [".TP", line(entry.term, escaping: usage)]
          lines.append(entry.text.isEmpty ? #"\&"# : line(entry.text))
        }
      }
    }
    return lines
  }
}
