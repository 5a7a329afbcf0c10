/// The variables that the command reads.
enum Environment {
  /// The values that must not be shown.
  static func secrets(in environment: [String: String]) -> [String] {
    ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
      .compactMap { environment[$0]?.split(whereSeparator: \.isNewline).first.map(String.init) }
  }

  /// The paragraph of `--help` that names them, narrow enough for 80 columns.
  static let discussion = """
    ENVIRONMENT:
      GH_TOKEN, GITHUB_TOKEN    the access token for github.com
      GH_ENTERPRISE_TOKEN,      the access token for the host in GH_HOST,
      GITHUB_ENTERPRISE_TOKEN   or for --api-url; sent to no other
      GH_HOST                   the host of OWNER/REPO; github.com if unset
      NO_COLOR, CLICOLOR=0      no colours
      CLICOLOR_FORCE            colours in a pipe too
      PAGER                     what shows long output on a terminal
      BROWSER                   what opens pages with --web
      XDG_CACHE_HOME            where answers are kept; ~/.cache if unset
      https_proxy, no_proxy     the proxy, as for curl
      CURL_CA_BUNDLE,           the certificates to trust
      SSL_CERT_FILE,
      SSL_CERT_DIR
    """
}
