import IssueMirror
import Testing

@Suite("CSV")
struct CSVTests {
  @Test(
    "cells are quoted only where necessary",
    arguments: [
      (["a", "b"], "a,b\r\n"), ([""], "\r\n"), (["a,b", "c"], "\"a,b\",c\r\n"),
      (["say \"hi\""], "\"say \"\"hi\"\"\"\r\n"), (["a\nb"], "\"a\nb\"\r\n"),
      (["a\r\nb"], "\"a\r\nb\"\r\n"), ([" a", "b "], "\" a\",\"b \"\r\n"),
      (["日本語", "🐛"], "日本語,🐛\r\n"),
    ])
  func quoting(cells: [String], line: String) {
    #expect(CSV.line(cells) == line)
  }

  @Test(
    "a cell that a spreadsheet would evaluate is written as text",
    arguments: [
      "=1+1", "+1", "-1", "@SUM(A1)", "\t1", "＝1+1", "- a list", "=HYPERLINK(\"http://x\",\"y\")",
      "\r1", "\r\n1",
    ])
  func formulas(cell: String) {
    let line = CSV.line([cell])
    #expect(line.hasPrefix("'") || line.hasPrefix("\"'"))
    #expect(CSVReader.rows(line) == [["'\(cell)"]])
  }

  @Test(
    "a formula after a semicolon or a tab is written as text",
    arguments: [
      ("a;=1+1", "a;'=1+1"), ("a; +1", "a; '+1"), ("a\t@SUM(A1)", "a\t'@SUM(A1)"),
      ("a;\"=1", "a;\"'=1"), ("a\n=1", "a\n'=1"), ("a\r\n-1", "a\r\n'-1"), ("a;;＝1", "a;;'＝1"),
      (" =1", " '=1"), ("\t=1", "'\t'=1"), ("\r\n=1", "'\r\n'=1"), ("\"=1\"", "\"'=1\""),
      (";=1", ";'=1"),
      ("a - b; c = d", "a - b; c = d"), ("a,=1", "a,=1"), ("a;b-c\te@f", "a;b-c\te@f"),
    ])
  func otherSeparators(cell: String, text: String) {
    #expect(CSVReader.rows(CSV.line([cell, "x"])) == [[text, "x"]])
  }

  @Test("a cell that contains another separator is quoted")
  func marks() {
    #expect(CSV.line(["a;b", "c\td", "e"]) == "\"a;b\",\"c\td\",e\r\n")
  }

  @Test("CSV survives a round trip")
  func roundTrip() {
    let rows = [
      ["kind", "title", ""], ["a,b", "\"", "\"\""], ["x\ny\r\nz", "", " "], ["1", ",", "\r\n"],
    ]
    let text = rows.map { CSV.line($0) }.joined()
    // A line break at the beginning of a cell is the one thing here that spreadsheets mind.
    var expected = rows
    expected[3][2] = "'\r\n"
    #expect(CSVReader.rows(text) == expected)
  }
}

/// Reads RFC 4180 as it is written, without what any program adds to it.
enum CSVReader {
  static func rows(_ text: String) -> [[String]] {
    var (rows, row, cell) = ([[String]](), [String](), String.UnicodeScalarView())
    var isQuoted = false
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalar {
      case "\"" where isQuoted && next == "\"":
        cell.append("\"")
        index += 1
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(String(cell))
        cell = String.UnicodeScalarView()
      case "\r" where !isQuoted && next == "\n":
        rows.append(row + [String(cell)])
        (row, cell) = ([], String.UnicodeScalarView())
        index += 1
      default: cell.append(scalar)
      }
      index += 1
    }
    return rows
  }
}
