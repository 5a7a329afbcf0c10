/// The variables that the command reads.
enum Environment {
  /// The paragraph of `--help` that names them.
  static let discussion = """
    ENVIRONMENT:
      GH_TOKEN, GITHUB_TOKEN              the access token for github.com
      GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN
                                          the access token for any other host
      GH_HOST                             the host of OWNER/REPO; github.com if unset
      NO_COLOR, CLICOLOR, CLICOLOR_FORCE  no colours; no colours if 0; colours in a pipe too
      PAGER                               what shows long output on a terminal
      https_proxy, no_proxy               the proxy, as for curl
      CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR
                                          the certificates to trust
    """
}
