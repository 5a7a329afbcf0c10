enum CharacterEncoding {
  /// Whether the first nonempty variable of the locale specifies UTF-8
  /// (<https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02>).
  static func isUTF8(in environment: [String: String]) -> Bool {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].map { environment[$0, default: ""] }
    let locale = variables.first { !$0.isEmpty }?.lowercased() ?? ""
    return ["utf-8", "utf8"].contains(where: locale.contains)
  }
}
